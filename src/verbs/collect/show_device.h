// One device of the store, measured again when asked to.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "collect/emulated_device.h"
#include "domain/device.h"
#include "support/result.h"

namespace mete {

struct ShowDeviceRequest {
  std::string name;  // or id; empty: this machine
  bool refresh = false;
};

struct ShownDevice {
  Device device;
  // Why the engine was not measured, when it should have been; else empty.
  std::string warning;
};

// Registers this machine on the way. Fails with kNotFound and the nearest name,
// and with kInvalidInput when another machine would have to be measured.
Result<ShownDevice> ShowDevice(const ShowDeviceRequest& request,
                               const DeviceDependencies& needs,
                               std::stop_token stop);

// All devices of the store by name; this machine is one of them.
Result<std::vector<Device>> ListAllDevices(const DeviceDependencies& needs);

}  // namespace mete
