// Forgets a device, with everything that is kept about it.
#pragma once

#include <functional>
#include <string>

#include "ports/run_store.h"
#include "support/result.h"

namespace mete {

struct RemoveDeviceRequest {
  std::string name;  // or id
  bool with_runs = false;
};

struct RemoveDeviceDependencies {
  RunStore& store;
  // Removes what predictors know of the device of that name; does nothing
  // when there is nothing.
  std::function<Status(const std::string& name)> remove_calibration;
};

struct RemovedDevice {
  std::string name;
  size_t runs = 0;  // removed with it
};

// Fails with kNotFound and the nearest name, and with kInvalidInput when the
// device has runs and these are not to be removed: measurements are not thrown
// away by accident.
Result<RemovedDevice> RemoveDevice(const RemoveDeviceRequest& request,
                                   const RemoveDeviceDependencies& needs);

}  // namespace mete
