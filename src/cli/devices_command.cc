// mete devices list|show: the machines the store knows, this one first of all.
#include "cli/verb.h"
#include "devices/device_table.h"
#include "devices/this_device.h"
#include "domain/device_json.h"
#include "support/nearest.h"

namespace mete {
namespace {

struct DeviceFlags {
  std::string name;
  bool refresh = false;
};

Json ListJson(const std::vector<Device>& devices) {
  Json json = Json::array();
  for (const Device& device : devices) json.push_back(DeviceToJson(device));
  return json;
}

// Registering for the first time measures for about two seconds: say so.
Result<Device> ThisDevice(Invocation& invocation, RunStore& store,
                          const DeviceFlags& flags) {
  Host& host = invocation.services.ThisHost();
  Clock& clock = invocation.services.TheClock();
  invocation.talk.Progress("looking at this machine …");
  Result<Device> device = flags.refresh
                              ? RefreshDevice(store, host, clock)
                              : RegisterThisDevice(store, host, clock);
  invocation.talk.ClearProgress();
  return device;
}

Result<ExitCode> List(Invocation& invocation) {
  ASSIGN_OR_RETURN(RunStore * store, invocation.services.Store());
  ASSIGN_OR_RETURN(Device here, ThisDevice(invocation, *store, {}));
  ASSIGN_OR_RETURN(auto devices, store->ListDevices());
  invocation.output.Print({
      .text = [&] { return DeviceList(devices); },
      .json = [&] { return ListJson(devices); },
      .csv = [&] { return DeviceCsv(devices); },
  });
  return ExitCode::kDone;
}

Result<Device> Find(RunStore& store, const std::string& name) {
  Result<Device> found = store.FindDevice(name);
  if (found.ok() || found.error().code() != ErrorCode::kNotFound) return found;
  ASSIGN_OR_RETURN(auto devices, store.ListDevices());
  std::vector<std::string> names;
  for (const Device& device : devices) names.push_back(device.name);
  return NotFound(found.error().message() + DidYouMean(name, names));
}

Result<ExitCode> Show(Invocation& invocation, const DeviceFlags& flags) {
  ASSIGN_OR_RETURN(RunStore * store, invocation.services.Store());
  ASSIGN_OR_RETURN(Device device, ThisDevice(invocation, *store, flags));
  if (!flags.name.empty()) {
    ASSIGN_OR_RETURN(Device named, Find(*store, flags.name));
    if (flags.refresh && named.id != device.id) {
      return InvalidInput("--refresh: '" + flags.name +
                          "' is another machine; run mete there");
    }
    device = named;
  }
  invocation.output.Print({
      .text = [&] { return DeviceCard(device); },
      .json = [&] { return DeviceToJson(device); },
      .csv = [&] { return DeviceCsv({device}); },
  });
  return ExitCode::kDone;
}

}  // namespace

void AddDevicesCommand(Command root, Verbs& verbs) {
  Command devices = root.Add("devices", "Known machines", "mete devices list");
  devices.WantsSubcommand();
  Command list = devices.Add("list", "All devices", "mete devices list");
  verbs.push_back({.command = list, .run = List});

  auto flags = std::make_shared<DeviceFlags>();
  Command show =
      devices.Add("show", "One device, whole", "mete devices show --refresh");
  show.Option("NAME", flags->name, "Name or id (default: this machine)");
  show.Switch("--refresh", flags->refresh,
              "Measure this machine's speed anew (about 2 s)");
  verbs.push_back({.command = show, .run = [flags](Invocation& invocation) {
                     return Show(invocation, *flags);
                   }});
}

}  // namespace mete
