// Power at the moment of reading, where a chip measures it: supply rails of
// boards, and batteries. Callers integrate it over time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "linux/system_root.h"
#include "linux/watched_file.h"
#include "support/units.h"

namespace mete {

// One reading of a supply rail.
struct PowerRail {
  // Folder, chip and label: "hwmon3/ina3221/VDD_IN".
  std::string source;
  Watts power;
};

// A rail that is kept open for reading.
class PowerMeter {
 public:
  // One file with power, or two with voltage and current. `unit` converts the
  // raw value (or the product of both) to watts.
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

// hwmon chips that measure power (INA2xx, amdgpu, ACPI power meters), the
// INA3221 of Jetsons as voltage times current, and its older iio driver. Rails
// may contain each other (VDD_IN is the whole board), so do not simply sum
// them.
std::vector<PowerMeter> FindPowerMeters(const SystemRoot& root);
// Omits rails that cannot be read.
std::vector<PowerRail> ReadPowerRails(std::vector<PowerMeter>& meters);
std::vector<PowerRail> ReadPowerRails(const SystemRoot& root);

// One reading of a battery.
struct Battery {
  std::string source;  // "battery/BAT0"
  // Power drawn by the machine; absent unless it runs on the battery alone.
  std::optional<Watts> draw;
  // Decreases as the machine runs, in steps of some 10 J.
  std::optional<Microjoules> stored;
  std::optional<double> charge;  // 0 … 1 of the full capacity
};

// A battery that is kept open for reading.
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

// Batteries of the machine itself, not of its mouse.
std::vector<BatteryMeter> FindBatteries(const SystemRoot& root);
std::vector<Battery> ReadBatteries(std::vector<BatteryMeter>& found);
std::vector<Battery> ReadBatteries(const SystemRoot& root);

// The rail that feeds the whole machine, or the battery; absent when neither is
// known.
std::optional<PowerRail> WholeMachineRail(
    const std::vector<PowerRail>& rails, const std::vector<Battery>& batteries);

}  // namespace mete
