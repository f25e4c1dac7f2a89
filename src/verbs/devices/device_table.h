// Formats devices as text for a terminal, at most 80 columns wide, and as CSV.
#pragma once

#include <string>
#include <vector>

#include "domain/device.h"

namespace mete {

// One line per device: name, cores, memory, speeds, processor.
std::string DeviceList(const std::vector<Device>& devices);

// One line per fact; unknown facts are left out.
std::string DeviceCard(const Device& device);

// RFC 4180, one row per device, numbers in base units; unknown cells are empty.
std::string DeviceCsv(const std::vector<Device>& devices);

}  // namespace mete
