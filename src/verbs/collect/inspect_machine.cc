#include "collect/inspect_machine.h"

#include "collect/emulated_device.h"
#include "collect/show_device.h"

namespace mete {
namespace {

void Tell(const std::function<void(const std::string&)>& to,
          const std::string& line) {
  if (to) to(line);
}

}  // namespace

Result<Device> InspectMachine(const MachineDependencies& needs,
                              const InspectCallbacks& callbacks,
                              std::stop_token stop) {
  ASSIGN_OR_RETURN(Device here, needs.register_this_device());
  if (here.micro) return here;
  ASSIGN_OR_RETURN(CollectDependencies collecting, needs.collecting());
  if (auto engine = collecting.engine_version(); !engine.ok()) {
    Tell(callbacks.warn,
         "the speed of this machine is assumed: " + engine.error().message());
    return here;
  }
  // Read first: the measurement itself raises the load average.
  Environment before = collecting.host.ReadEnvironment();
  auto measured = RefreshMeasurements(
      here, NeedsOfDevices(collecting, callbacks.collecting), stop);
  if (measured.ok()) {
    Tell(callbacks.detail, "measured the engine on " + here.name);
    for (const std::string& doubt : DoubtsAbout(*measured->micro, before)) {
      Tell(callbacks.warn, doubt + " with mete devices show --refresh");
    }
    return measured;
  }
  if (measured.error().code() == ErrorCode::kInterrupted) return measured;
  Tell(callbacks.warn,
       "the speed of this machine is assumed: " + measured.error().message());
  return here;
}

}  // namespace mete
