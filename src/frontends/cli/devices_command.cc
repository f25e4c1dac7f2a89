#include "cli/devices_command.h"

#include <fmt/format.h>

#include "collect/show_device.h"
#include "devices/device_table.h"
#include "domain/device_json.h"
#include "measure/application_bounds.h"
#include "support/json.h"

namespace mete {
namespace {

struct DeviceFlags {
  std::string name;
  bool refresh = false;
  bool emulate = false;
  std::string cpus;
  std::string memory;
  int threads = 0;
  bool runs = false;
};

Json DeviceListJson(const std::vector<Device>& devices) {
  Json json = Json::array();
  for (const Device& device : devices) json.push_back(DeviceToJson(device));
  return json;
}

// Returns the dependencies for measuring, with progress shown on this console.
DeviceDependencies WithProgress(DeviceDependencies needs, Console& console) {
  needs.progress = [&console](const std::string& text) {
    console.Progress(text);
  };
  needs.on_engine = [&console](const EngineVersion& engine) {
    console.Detail("engine: " + engine.name);
  };
  return needs;
}

Result<ExitCode> ListDevices(Invocation& invocation,
                             const DevicesDependencies& needs,
                             const DeviceFlags&) {
  auto devices =
      ListAllDevices(WithProgress(needs.measuring, invocation.console));
  invocation.console.ClearProgress();
  if (!devices.ok()) return devices.error();
  invocation.output.Print({
      .text = [&] { return DeviceList(*devices); },
      .json = [&] { return DeviceListJson(*devices); },
      .csv = [&] { return DeviceCsv(*devices); },
  });
  return ExitCode::kDone;
}

void PrintDevice(Invocation& invocation, const Device& device) {
  invocation.output.Print({
      .text = [&] { return DeviceCard(device); },
      .json = [&] { return DeviceToJson(device); },
      .csv = [&] { return DeviceCsv({device}); },
  });
}

Result<ExitCode> ShowOneDevice(Invocation& invocation,
                               const DevicesDependencies& needs,
                               const DeviceFlags& flags) {
  auto shown = ShowDevice({.name = flags.name, .refresh = flags.refresh},
                          WithProgress(needs.measuring, invocation.console),
                          invocation.stop);
  invocation.console.ClearProgress();
  if (!shown.ok()) return shown.error();
  for (const std::string& warning : shown->warnings) {
    invocation.console.Warn(warning);
  }
  PrintDevice(invocation, shown->device);
  return ExitCode::kDone;
}

// Returns a complaint about the arguments of `add`; empty if there is none.
std::string AddComplaint(const DeviceFlags& flags) {
  if (!flags.emulate) {
    return "--emulate is required; to add another machine, import its runs "
           "with mete runs import";
  }
  Status name = CheckDeviceName(flags.name);
  return name.ok() ? "" : name.error().message();
}

Result<ExitCode> AddDevice(Invocation& invocation,
                           const DevicesDependencies& needs,
                           const DeviceFlags& flags) {
  const EmulationRequest request{.name = flags.name,
                                 .cpus = *ParseMillicores(flags.cpus),
                                 .memory = *ParseBytes(flags.memory),
                                 .threads = flags.threads};
  ASSIGN_OR_RETURN(DeviceFacts facts, needs.measuring.host.Facts());
  if (Status size = CheckDeviceSize(request, facts); !size.ok()) {
    invocation.console.Error("mete devices add: " + size.error().message());
    return ExitCode::kUsage;
  }
  Result<Device> device = AddEmulatedDevice(
      request, WithProgress(needs.measuring, invocation.console),
      invocation.stop);
  invocation.console.ClearProgress();
  if (!device.ok()) return device.error();
  PrintDevice(invocation, *device);
  return ExitCode::kDone;
}

Result<ExitCode> RemoveOneDevice(Invocation& invocation,
                                 const DevicesDependencies& needs,
                                 const DeviceFlags& flags) {
  ASSIGN_OR_RETURN(RemovedDevice removed,
                   RemoveDevice({.name = flags.name, .with_runs = flags.runs},
                                needs.removing));
  invocation.console.Note(
      fmt::format("removed {} (runs: {})", removed.name, removed.runs));
  return ExitCode::kDone;
}

using DevicesAction = Result<ExitCode> (*)(Invocation&,
                                           const DevicesDependencies&,
                                           const DeviceFlags&);

std::function<Result<ExitCode>(Invocation&)> BindDevices(
    std::shared_ptr<DeviceFlags> flags, Lazy<DevicesDependencies> dependencies,
    DevicesAction action) {
  return [=](Invocation& invocation) -> Result<ExitCode> {
    ASSIGN_OR_RETURN(DevicesDependencies needs, dependencies());
    return action(invocation, needs, *flags);
  };
}

void AddAddDevice(Command devices, Verbs& verbs,
                  Lazy<DevicesDependencies> dependencies) {
  auto flags = std::make_shared<DeviceFlags>();
  Command add =
      devices.Add("add", "Emulate a smaller device on this machine",
                  "mete devices add half --emulate --cpus 0.5 --memory 1Gi");
  add.Option("NAME", flags->name, "Name of the device").Required();
  add.Switch("--emulate", flags->emulate,
             "Emulate the device with limits (required)");
  add.Option("--cpus", flags->cpus, "CPU limit, e.g. 0.5 or 500m (required)")
      .Check(ParseCpuLimit, "CPUS")
      .Required();
  add.Option("--memory", flags->memory, "Memory limit, e.g. 1Gi (required)")
      .Check(ParseMemoryLimit, "BYTES")
      .Required();
  add.Option("--threads", flags->threads,
             "Threads of the engine (default: one per core)")
      .Within(1, 1024);
  auto work = BindDevices(flags, dependencies, AddDevice);
  auto run = [=](Invocation& invocation) -> Result<ExitCode> {
    if (std::string complaint = AddComplaint(*flags); !complaint.empty()) {
      invocation.console.Error("mete devices add: " + complaint);
      return ExitCode::kUsage;
    }
    return work(invocation);
  };
  verbs.push_back({.command = add, .run = run, .interruptible = true});
}

}  // namespace

void AddDevicesCommand(Command root, Verbs& verbs,
                       Lazy<DevicesDependencies> dependencies) {
  Command devices =
      root.Add("devices", "Manage known devices", "mete devices list");
  devices.WantsSubcommand();
  Command list = devices.Add("list", "List all devices", "mete devices list");
  verbs.push_back({.command = list,
                   .run = BindDevices(std::make_shared<DeviceFlags>(),
                                      dependencies, ListDevices),
                   .reads_store = true});

  auto flags = std::make_shared<DeviceFlags>();
  Command show = devices.Add("show", "Show all details of a device",
                             "mete devices show --refresh");
  show.Option("NAME", flags->name, "Name or ID (default: this machine)");
  show.Switch("--refresh", flags->refresh,
              "Measure it again, including the engine (about 12 s)");
  verbs.push_back({.command = show,
                   .run = BindDevices(flags, dependencies, ShowOneDevice),
                   .interruptible = true});
  AddAddDevice(devices, verbs, dependencies);

  auto remove_flags = std::make_shared<DeviceFlags>();
  Command remove = devices.Add("remove", "Remove a device",
                               "mete devices remove half --runs");
  remove.Option("NAME", remove_flags->name, "Name or ID").Required();
  remove.Switch("--runs", remove_flags->runs, "Also remove all its runs");
  verbs.push_back(
      {.command = remove,
       .run = BindDevices(remove_flags, dependencies, RemoveOneDevice),
       .interruptible = true});
}

}  // namespace mete
