// All temperature sensors the kernel shows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "linux/system_root.h"
#include "linux/watched_file.h"

namespace mete {

struct Temperature {
  // "thermal_zone0/cpu-thermal", "hwmon1/coretemp/Package id 0". The numbers
  // may change with the next boot.
  std::string source;
  double celsius = 0;
};

// A sensor that was found; reading it may take milliseconds: some drivers ask
// the device.
struct Thermometer {
  std::string source;
  WatchedFile file;
};

// Thermal zones, then monitoring chips. A sensor that appears as both is
// listed twice; one that is known to tell a fixed number is left out.
std::vector<Thermometer> FindThermometers(const SystemRoot& root);
// One that cannot be read is left out.
std::vector<Temperature> ReadTemperatures(std::vector<Thermometer>& found);
std::vector<Temperature> ReadTemperatures(const SystemRoot& root);

// Thousandths of a degree, as all these files tell; absent for what a chip
// without a working sensor reports.
std::optional<double> Celsius(std::optional<int64_t> thousandths);

}  // namespace mete
