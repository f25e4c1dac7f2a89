// All temperature sensors that the kernel exposes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "linux/system_root.h"
#include "linux/watched_file.h"

namespace mete {

// One reading of a sensor.
struct Temperature {
  // "thermal_zone0/cpu-thermal", "hwmon1/coretemp/Package id 0". The numbers
  // may change at the next boot.
  std::string source;
  double celsius = 0;
};

// A sensor that is kept open. Reading it may take milliseconds, because some
// drivers query the device.
struct Thermometer {
  std::string source;
  WatchedFile file;
};

// Thermal zones, then hwmon chips. A sensor that appears as both is listed
// twice; one that is known to report a constant is omitted.
std::vector<Thermometer> FindThermometers(const SystemRoot& root);
// Omits sensors that cannot be read.
std::vector<Temperature> ReadTemperatures(std::vector<Thermometer>& found);
std::vector<Temperature> ReadTemperatures(const SystemRoot& root);

// From thousandths of a degree, the unit of all these files; absent for values
// that chips without a working sensor report.
std::optional<double> Celsius(std::optional<int64_t> thousandths);

}  // namespace mete
