#include "sweep/sweep_workload.h"

#include <algorithm>

#include "devices/this_device.h"
#include "domain/input_shapes.h"
#include "domain/sweep_json.h"
#include "measure/application_spec_json.h"
#include "measure/reproduce_command.h"
#include "measure/run_id.h"
#include "support/json.h"
#include "support/sha256.h"
#include "sweep/reference_workload.h"

namespace mete {
namespace {

bool HasCpuLimit(const SweepOrder& order) {
  return order.plan.cpus || order.application.limits.cpus;
}

// Files set the sizes of inputs, too.
bool ReadsFiles(const InputRequest& inputs) {
  return std::ranges::any_of(inputs.given, [](const std::string& given) {
    return !ParseInputNumber(given.substr(given.find('=') + 1));
  });
}

// Makes the application a process of mete that runs inference.
Result<ApplicationSpec> NetworkSpec(const SweepOrder& order,
                                    const SweepDependencies& dependencies) {
  InferRequest infer = *order.network;
  std::error_code error;
  infer.network = std::filesystem::absolute(infer.network, error);
  if (HasCpuLimit(order)) infer.duration = kNetworkTime;
  // A file that is not a network, or has open sizes, would fail under every
  // limit and show nothing.
  ASSIGN_OR_RETURN(Network network, dependencies.reader.Read(infer.network));
  ASSIGN_OR_RETURN(BoundInputs bound,
                   BindInputs(network.graph.inputs, infer.inputs.sizes));
  if (OpenInputsNote(bound.inputs) && !ReadsFiles(infer.inputs)) {
    const int64_t length = dependencies.suggest_length
                               ? dependencies.suggest_length(network)
                               : kExampleLength;
    return InvalidInput(*OpenInputsNote(bound.inputs, length));
  }
  ApplicationSpec spec = order.application;
  spec.command = InferArguments(infer);
  spec.command.insert(spec.command.begin(), dependencies.program.string());
  spec.name = infer.network.stem().string();
  return spec;
}

Result<ApplicationSpec> SpecFor(const SweepOrder& order,
                                const SweepDependencies& dependencies) {
  if (order.network) return NetworkSpec(order, dependencies);
  ApplicationSpec spec = order.application;
  if (spec.container) return spec;
  ASSIGN_OR_RETURN(spec.command,
                   WithTorchFound(std::move(spec.command), dependencies.torch));
  RETURN_IF_ERROR(CheckSweepable(spec.command));
  spec.name = TorchWorkloadName(spec.command).value_or("");
  if (HasCpuLimit(order)) LengthenInference(kNetworkTime, spec.command);
  return spec;
}

// Identifies the sweep: the same workload and plan on the same device. A
// command in another folder, or a network with other content, is another
// workload.
Result<std::string> KeyFor(const SweepOrder& order, const ApplicationSpec& spec,
                           const Device& device) {
  Json json;
  if (order.network) {
    ASSIGN_OR_RETURN(json["network"], Sha256OfFile(order.network->network));
  }
  std::error_code error;
  json["folder"] = std::filesystem::current_path(error).string();
  json["application"] = ApplicationSpecToJson(spec);
  json["plan"] = PlanToJson(order.plan);
  json["device"] = device.id;
  return ComputeSha256(DumpJson(json)).substr(0, 16);
}

Sweep NewSweep(const SweepOrder& order, const ApplicationSpec& spec,
               const Device& device, const ApplicationDependencies& platform) {
  Sweep sweep;
  sweep.started_at = platform.clock.Wall();
  sweep.id = MakeRunId(sweep.started_at, platform.draw_entropy());
  sweep.workload = DisplayName(spec);
  sweep.command = MeasureCommand(spec);
  sweep.device_name = device.name;
  sweep.plan = order.plan;
  // The files of an image are not visible from here.
  if (spec.container) sweep.plan.cold = false;
  return sweep;
}

}  // namespace

Result<SweepResult> SweepWorkload(const SweepOrder& order,
                                  const SweepDependencies& dependencies,
                                  const SweepCallbacks& callbacks,
                                  std::stop_token stop) {
  const ApplicationDependencies& platform = dependencies.platform;
  ASSIGN_OR_RETURN(ApplicationSpec spec, SpecFor(order, dependencies));
  ASSIGN_OR_RETURN(
      Device device,
      RegisterThisDevice(dependencies.runs, platform.host, platform.clock));
  ASSIGN_OR_RETURN(std::string key, KeyFor(order, spec, device));
  ASSIGN_OR_RETURN(std::optional<Sweep> sweep,
                   dependencies.sweeps.UnfinishedSweep(key));
  if (sweep && callbacks.resumed) callbacks.resumed(*sweep);
  if (!sweep) {
    sweep = NewSweep(order, spec, device, platform);
    sweep->key = key;
  }
  return RunSweep({.sweep = *std::move(sweep),
                   .application = std::move(spec),
                   .context = {.device = std::move(device),
                               .mete_version = order.mete_version,
                               .allow_privileged = order.allow_privileged},
                   .runs_folder = dependencies.runs_folder},
                  {.runs = dependencies.runs,
                   .sweeps = dependencies.sweeps,
                   .page_cache = dependencies.page_cache,
                   .platform = platform},
                  callbacks.lines, std::move(stop));
}

}  // namespace mete
