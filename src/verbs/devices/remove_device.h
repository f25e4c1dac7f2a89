// Removes a device with everything that is stored about it.
#pragma once

#include <functional>
#include <string>

#include "ports/run_store.h"
#include "support/result.h"

namespace mete {

// Which device to remove, and whether to remove its runs.
struct RemoveDeviceRequest {
  std::string name;  // or id
  bool with_runs = false;
};

// Ports for removing a device.
struct RemoveDeviceDependencies {
  RunStore& store;
  // Removes the calibration for the device of that name, if there is one.
  std::function<Status(const std::string& name)> remove_calibration;
};

// What was removed.
struct RemovedDevice {
  std::string name;
  size_t runs = 0;  // removed with the device
};

// Fails with kNotFound and suggests the nearest name, and with kInvalidInput
// when the device has runs and `with_runs` is false, so that measurements are
// not deleted by accident.
Result<RemovedDevice> RemoveDevice(const RemoveDeviceRequest& request,
                                   const RemoveDeviceDependencies& needs);

}  // namespace mete
