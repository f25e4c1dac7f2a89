#include "devices/remove_device.h"

#include <fmt/format.h>

#include "devices/find_devices.h"

namespace mete {

Result<RemovedDevice> RemoveDevice(const RemoveDeviceRequest& request,
                                   const RemoveDeviceDependencies& needs) {
  ASSIGN_OR_RETURN(Device device, FindNamedDevice(needs.store, request.name));
  ASSIGN_OR_RETURN(auto runs, needs.store.ListRuns({.device = device.id}));
  if (!runs.empty() && !request.with_runs) {
    const bool one = runs.size() == 1;
    return InvalidInput(fmt::format(
        "device {} has {} stored run{}; use --runs to remove {} too",
        device.name, runs.size(), one ? "" : "s", one ? "it" : "them"));
  }
  RETURN_IF_ERROR(needs.store.RemoveDevice(device.id));
  RETURN_IF_ERROR(needs.remove_calibration(device.name));
  return RemovedDevice{.name = device.name, .runs = runs.size()};
}

}  // namespace mete
