#include "collect/show_device.h"

#include "devices/find_devices.h"
#include "devices/this_device.h"

namespace mete {
namespace {

// Registering for the first time takes about two seconds, so this reports it.
void SayLooking(const DeviceDependencies& needs) {
  if (needs.progress) needs.progress("inspecting this machine …");
}

Result<Device> Register(const DeviceDependencies& needs) {
  SayLooking(needs);
  return RegisterThisDevice(needs.store, needs.host, needs.clock);
}

Result<Device> RefreshHost(const DeviceDependencies& needs) {
  SayLooking(needs);
  return RefreshDevice(needs.store, needs.host, needs.clock);
}

// The device to show. For this machine, its speeds are refreshed.
Result<Device> Find(const ShowDeviceRequest& request,
                    const DeviceDependencies& needs) {
  if (request.name.empty()) {
    return request.refresh ? RefreshHost(needs) : Register(needs);
  }
  ASSIGN_OR_RETURN(Device here, Register(needs));
  ASSIGN_OR_RETURN(Device found, FindNamedDevice(needs.store, request.name));
  if (!request.refresh) return found;
  if (!IsHere(found, here.id)) {
    return InvalidInput("--refresh: '" + request.name +
                        "' is another machine; run mete there");
  }
  return found.emulated ? Result<Device>(found) : RefreshHost(needs);
}

}  // namespace

Result<ShownDevice> ShowDevice(const ShowDeviceRequest& request,
                               const DeviceDependencies& needs,
                               std::stop_token stop) {
  ShownDevice shown;
  ASSIGN_OR_RETURN(shown.device, Find(request, needs));
  if (!request.refresh) return shown;
  // The engine's speeds need an engine. Without one, only those of the machine
  // are refreshed.
  Result<EngineVersion> engine = needs.engine_version();
  if (!engine.ok()) {
    shown.warning = "the engine was not measured: " + engine.error().message();
    return shown;
  }
  ASSIGN_OR_RETURN(shown.device,
                   RefreshMeasurements(shown.device, needs, std::move(stop)));
  return shown;
}

Result<std::vector<Device>> ListAllDevices(const DeviceDependencies& needs) {
  RETURN_IF_ERROR(Register(needs));
  return needs.store.ListDevices();
}

}  // namespace mete
