// Power at this moment, where a chip measures it: supply rails of boards and
// batteries. To be summed over time by whoever samples it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "linux/system_root.h"
#include "support/units.h"

namespace mete {

struct PowerRail {
  // Folder, chip and label: "hwmon3/ina3221/VDD_IN".
  std::string source;
  Watts power;
};

// hwmon chips that tell power (INA2xx, amdgpu, ACPI power meters), the INA3221
// of Jetsons as voltage times current, and its older driver under iio. Rails
// may contain each other (VDD_IN is the whole board): do not sum them blindly.
std::vector<PowerRail> ReadPowerRails(const SystemRoot& root);

struct Battery {
  std::string source;  // "battery/BAT0"
  // What the machine draws; absent unless the battery alone feeds it.
  std::optional<Watts> draw;
  // Falls as the machine runs; in steps of some 10 J.
  std::optional<Microjoules> stored;
};

// Of the machine itself, not of its mouse.
std::vector<Battery> ReadBatteries(const SystemRoot& root);

}  // namespace mete
