// mete devices list|show|add|remove: the machines the store knows, this one
// first of all, and those it stands in for.
#include <fmt/format.h>

#include "cli/collecting.h"
#include "cli/device_names.h"
#include "cli/unconverted_commands.h"
#include "cli/verb.h"
#include "devices/device_table.h"
#include "devices/this_device.h"
#include "domain/device_json.h"
#include "predict/predictor_files.h"
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

void Print(Invocation& invocation, const Device& device) {
  invocation.output.Print({
      .text = [&] { return DeviceCard(device); },
      .json = [&] { return DeviceToJson(device); },
      .csv = [&] { return DeviceCsv({device}); },
  });
}

// The engine's speeds need an engine; without one the machine's own remain.
Result<Device> Remeasure(Invocation& invocation, RunStore& store,
                         const Device& device) {
  Result<Engine*> engine = invocation.services.TheEngine();
  if (!engine.ok()) {
    invocation.talk.Warn("the engine is not measured: " +
                         engine.error().message());
    return device;
  }
  Result<Device> measured = RefreshMeasurements(
      device, DevicePortsOf(invocation, store), invocation.stop);
  invocation.talk.ClearProgress();
  return measured;
}

Result<ExitCode> Show(Invocation& invocation, const DeviceFlags& flags) {
  ASSIGN_OR_RETURN(RunStore * store, invocation.services.Store());
  DeviceFlags here = flags;
  bool named = !flags.name.empty();
  if (named) here.refresh = false;  // until it is known to be this machine
  ASSIGN_OR_RETURN(Device device, ThisDevice(invocation, *store, here));
  if (named) {
    ASSIGN_OR_RETURN(Device found, FindNamedDevice(*store, flags.name));
    if (flags.refresh && !IsHere(found, device.id)) {
      return InvalidInput("--refresh: '" + flags.name +
                          "' is another machine; run mete there");
    }
    if (flags.refresh && !found.emulated) {
      ASSIGN_OR_RETURN(found, ThisDevice(invocation, *store, flags));
    }
    device = found;
  }
  if (flags.refresh) {
    ASSIGN_OR_RETURN(device, Remeasure(invocation, *store, device));
  }
  Print(invocation, device);
  return ExitCode::kDone;
}

Result<ExitCode> Add(Invocation& invocation, const DeviceFlags& flags) {
  if (!flags.emulate) {
    invocation.talk.Error(
        "mete devices add: --emulate is wanted; other machines register "
        "themselves and come by mete runs import");
    return ExitCode::kUsage;
  }
  bool nameable = !flags.name.empty() && flags.name != "all" &&
                  flags.name.find_first_of(",/ ") == std::string::npos;
  if (!nameable) {
    invocation.talk.Error("mete devices add: '" + flags.name +
                          "' cannot be a name: no comma, slash or blank, and "
                          "not all");
    return ExitCode::kUsage;
  }
  ASSIGN_OR_RETURN(RunStore * store, invocation.services.Store());
  // Before the wait: without an engine there is nothing to measure.
  ASSIGN_OR_RETURN(Engine * engine, invocation.services.TheEngine());
  invocation.talk.Detail("engine: " + engine->version().name);
  Result<Device> device =
      AddEmulatedDevice({.name = flags.name,
                         .cpus = *ParseMillicores(flags.cpus),
                         .memory = *ParseBytes(flags.memory),
                         .threads = flags.threads},
                        DevicePortsOf(invocation, *store), invocation.stop);
  invocation.talk.ClearProgress();
  if (!device.ok()) return device.error();
  Print(invocation, *device);
  return ExitCode::kDone;
}

// Runs are not thrown away by accident.
Result<ExitCode> Remove(Invocation& invocation, const DeviceFlags& flags) {
  ASSIGN_OR_RETURN(RunStore * store, invocation.services.Store());
  ASSIGN_OR_RETURN(Device device, FindNamedDevice(*store, flags.name));
  ASSIGN_OR_RETURN(auto runs, store->ListRuns({.device = device.id}));
  if (!runs.empty() && !flags.runs) {
    return InvalidInput(
        fmt::format("device {} has {} runs; --runs removes them with it",
                    device.name, runs.size()));
  }
  RETURN_IF_ERROR(store->RemoveDevice(device.id));
  RETURN_IF_ERROR(
      RemoveCalibration(invocation.services.PredictorsFolder(), device.name));
  invocation.talk.Note(
      fmt::format("removed {} and {} runs", device.name, runs.size()));
  return ExitCode::kDone;
}

using Action = Result<ExitCode> (*)(Invocation&, const DeviceFlags&);

Verb Bind(Command command, std::shared_ptr<DeviceFlags> flags, Action action) {
  return {
      .command = command,
      .run = [flags, action](
                 Invocation& invocation) { return action(invocation, *flags); },
      .interruptible = true};
}

void AddAdd(Command devices, Verbs& verbs) {
  auto flags = std::make_shared<DeviceFlags>();
  Command add =
      devices.Add("add", "This machine under limits, as a smaller one",
                  "mete devices add half --emulate --cpus 0.5 --memory 1Gi");
  add.Option("NAME", flags->name, "What to call it").Required();
  add.Switch("--emulate", flags->emulate, "It is emulated, and always says so");
  add.Option("--cpus", flags->cpus, "Processors: 0.5 or 500m")
      .Check(ParseMillicores, "CPUS")
      .Required();
  add.Option("--memory", flags->memory, "Memory: 1Gi")
      .Check(ParseBytes, "BYTES")
      .Required();
  add.Option("--threads", flags->threads,
             "Engine threads (default: one for each core)")
      .Within(1, 1024);
  verbs.push_back(Bind(add, flags, Add));
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
              "Measure it anew, with the engine (about 12 s)");
  verbs.push_back(Bind(show, flags, Show));
  AddAdd(devices, verbs);

  auto remove_flags = std::make_shared<DeviceFlags>();
  Command remove = devices.Add("remove", "Forget a device",
                               "mete devices remove half --runs");
  remove.Option("NAME", remove_flags->name, "Name or id").Required();
  remove.Switch("--runs", remove_flags->runs, "And all its runs");
  verbs.push_back(Bind(remove, remove_flags, Remove));
}

}  // namespace mete
