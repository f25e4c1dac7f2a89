// Power at this moment, where a chip measures it: supply rails of boards and
// batteries. To be summed over time by whoever samples it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "linux/system_root.h"
#include "linux/watched_file.h"
#include "support/units.h"

namespace mete {

struct PowerRail {
  // Folder, chip and label: "hwmon3/ina3221/VDD_IN".
  std::string source;
  Watts power;
};

// A rail that was found.
class PowerMeter {
 public:
  // One file that tells power, or two that tell voltage and current; `unit` is
  // what 1 in it, or 1 times 1, is in watts.
  PowerMeter(std::string source, double unit, WatchedFile file,
             std::optional<WatchedFile> current = std::nullopt)
      : source_(std::move(source)),
        unit_(unit),
        file_(std::move(file)),
        current_(std::move(current)) {}

  const std::string& source() const { return source_; }
  std::optional<Watts> Read();

 private:
  std::string source_;
  double unit_;
  WatchedFile file_;
  std::optional<WatchedFile> current_;
};

// hwmon chips that tell power (INA2xx, amdgpu, ACPI power meters), the INA3221
// of Jetsons as voltage times current, and its older driver under iio. Rails
// may contain each other (VDD_IN is the whole board): do not sum them blindly.
std::vector<PowerMeter> FindPowerMeters(const SystemRoot& root);
// One that cannot be read is left out.
std::vector<PowerRail> ReadPowerRails(std::vector<PowerMeter>& meters);
std::vector<PowerRail> ReadPowerRails(const SystemRoot& root);

struct Battery {
  std::string source;  // "battery/BAT0"
  // What the machine draws; absent unless the battery alone feeds it.
  std::optional<Watts> draw;
  // Falls as the machine runs; in steps of some 10 J.
  std::optional<Microjoules> stored;
  std::optional<double> charge;  // 0 … 1 of what it holds when full
};

// A battery that was found.
class BatteryMeter {
 public:
  BatteryMeter(const SystemRoot& root, const std::string& supply);
  Battery Read();

 private:
  std::optional<Watts> Draw();

  std::string source_;
  WatchedFile status_;
  WatchedFile power_;
  WatchedFile voltage_;
  WatchedFile current_;
  WatchedFile energy_;
  WatchedFile capacity_;
};

// Of the machine itself, not of its mouse.
std::vector<BatteryMeter> FindBatteries(const SystemRoot& root);
std::vector<Battery> ReadBatteries(std::vector<BatteryMeter>& found);
std::vector<Battery> ReadBatteries(const SystemRoot& root);

// The rail that feeds everything, or the battery; absent when none is known to.
std::optional<PowerRail> WholeMachineRail(
    const std::vector<PowerRail>& rails, const std::vector<Battery>& batteries);

}  // namespace mete
