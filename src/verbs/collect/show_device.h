// Looks up one device in the store and measures it again on request.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "collect/emulated_device.h"
#include "domain/device.h"
#include "domain/run.h"
#include "support/result.h"

namespace mete {

// Which device to show, and whether to measure it again.
struct ShowDeviceRequest {
  std::string name;  // or id; empty: this machine
  bool refresh = false;
};

// A device and what went wrong while measuring it.
struct ShownDevice {
  Device device;
  // Why the engine was not measured although it should have been, and why the
  // measured speeds are doubtful.
  std::vector<std::string> warnings;
};

// Also registers this machine. Fails with kNotFound and suggests the nearest
// name, and with kInvalidInput when another machine would have to be measured.
Result<ShownDevice> ShowDevice(const ShowDeviceRequest& request,
                               const DeviceDependencies& needs,
                               std::stop_token stop);

// Why speeds measured now are doubtful: the machine was busy `before`, or more
// threads came out slower than one.
std::vector<std::string> DoubtsAbout(const MicroMeasurements& micro,
                                     const Environment& before);

// All stored devices by name, including this machine.
Result<std::vector<Device>> ListAllDevices(const DeviceDependencies& needs);

}  // namespace mete
