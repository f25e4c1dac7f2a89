#include "cli/ask_predictions.h"

#include <algorithm>

#include "cli/show_collecting.h"
#include "collect/inspect_machine.h"
#include "devices/cpu_load.h"
#include "devices/here_nodes.h"
#include "ports/host.h"
#include "ports/unknown_errors.h"

namespace mete {
namespace {

// Without Prometheus, the devices of the store are the nodes. This adds this
// machine to them if it is not there yet, and what can be read here: its speed
// and its load.
Result<NodeSnapshot> KnownNodes(Invocation& invocation,
                                const PredictCommandDependencies& needs) {
  std::optional<Device> here;
  std::optional<double> load;
  Console& console = invocation.console;
  if (needs.machine.register_this_device) {
    // Read first: inspecting the machine may keep it busy.
    ASSIGN_OR_RETURN(CollectDependencies collecting,
                     needs.machine.collecting());
    std::unique_ptr<MachineProbe> probe = collecting.new_machine_probe();
    ASSIGN_OR_RETURN(DeviceFacts facts, collecting.host.Facts());
    load = ToLoad(ReadLoadBeside({.probe = *probe,
                                  .clock = collecting.clock,
                                  .threads = std::max(1, facts.cores)},
                                 invocation.stop));
    console.Progress("inspecting this machine …");
    auto inspected =
        InspectMachine(needs.machine, InspectTo(console), invocation.stop);
    console.ClearProgress();
    if (!inspected.ok()) return inspected.error();
    here = *std::move(inspected);
  }
  ASSIGN_OR_RETURN(NodeSource * source, needs.nodes());
  ASSIGN_OR_RETURN(auto snapshot, source->Nodes());
  NodeSnapshot nodes = *snapshot;
  if (here) SetLoad(here->id, load, nodes);
  return nodes;
}

Result<Answers> ToAnswers(PredictOutcome outcome) {
  if (std::holds_alternative<NoEnergyPredictor>(outcome)) {
    return Unavailable(kNoEnergyPredictor);
  }
  if (auto* unknown = std::get_if<UnknownNode>(&outcome)) {
    return UnknownDevice(unknown->name, unknown->known);
  }
  return std::get<Answers>(std::move(outcome));
}

}  // namespace

Result<Answers> AskPredictions(Invocation& invocation,
                               const PredictRequest& request,
                               const PredictCommandDependencies& needs) {
  ASSIGN_OR_RETURN(
      PredictOutcome outcome,
      PredictNetworks(
          request,
          {.predictors = [&]() -> Result<std::shared_ptr<const PredictorSet>> {
             ASSIGN_OR_RETURN(PredictorSet set, needs.predictors());
             return std::make_shared<const PredictorSet>(std::move(set));
           },
           .nodes = [&] { return KnownNodes(invocation, needs); }}));
  return ToAnswers(std::move(outcome));
}

}  // namespace mete
