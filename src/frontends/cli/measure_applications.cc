// mete measure for commands, container images, and networks with limits.
#include <unistd.h>

#include <algorithm>
#include <iterator>

#include "cli/measure_actions.h"
#include "cli/run_output.h"
#include "flags/version.h"
#include "linux/unread_input.h"
#include "measure/application_text.h"
#include "measure/cluster_nodes.h"

namespace mete {

namespace {

// The nodes that --nodes selects; one empty name: wherever --node says.
Result<std::vector<std::string>> NodesFor(
    const ApplicationFlags& flags,
    const MeasureApplicationDependencies& dependencies, std::stop_token stop) {
  if (flags.nodes.empty()) return std::vector<std::string>{flags.node};
  ASSIGN_OR_RETURN(Launcher * launcher,
                   dependencies.platform.launchers.Find(flags.launcher, stop));
  return SelectNodes(flags.nodes, *launcher, std::move(stop));
}

// Measures on one node after the other, all into one list.
Result<ApplicationMeasurement> MeasureOnNodes(
    const MeasureApplicationRequest& request,
    const std::vector<std::string>& nodes,
    const MeasureApplicationDependencies& dependencies,
    Invocation& invocation) {
  ApplicationMeasurement all;
  for (const std::string& node : nodes) {
    MeasureApplicationRequest one = request;
    one.application.node = node;
    if (!one.folder.empty() && nodes.size() > 1) one.folder /= node;
    ASSIGN_OR_RETURN(
        ApplicationMeasurement measured,
        MeasureApplication(std::move(one), dependencies,
                           LinesTo(invocation.console), invocation.stop));
    std::move(measured.runs.begin(), measured.runs.end(),
              std::back_inserter(all.runs));
    all.stored = measured.stored;
    if (!all.stored.ok() || invocation.stop.stop_requested()) break;
  }
  return all;
}

}  // namespace

Result<ExitCode> MeasureProcess(
    Invocation& invocation, const ApplicationFlags& flags,
    const NetworkFlags& network,
    const MeasureApplicationDependencies& dependencies) {
  ASSIGN_OR_RETURN(
      ApplicationSpec spec,
      MakeSpec(flags, invocation.command.value_or(std::vector<std::string>())));
  if (!network.file.empty()) spec.network = MakeNetworkOptions(network);
  ASSIGN_OR_RETURN(auto nodes, NodesFor(flags, dependencies, invocation.stop));
  auto measured = MeasureOnNodes({.application = std::move(spec),
                                  .allow_privileged = flags.allow_privileged,
                                  .mete_version = kVersion,
                                  .folder = flags.out},
                                 nodes, dependencies, invocation);
  invocation.console.ClearProgress();
  if (!measured.ok()) return measured.error();
  const std::vector<Run>& runs = measured->runs;
  PrintRuns(invocation.output, runs);
  RETURN_IF_ERROR(measured->stored);
  bool shown = invocation.output.format() == OutputFormat::kTable &&
               runs.size() == 1;  // the text has the notes
  if (!shown && runs.front().process()) {
    for (const std::string& note : runs.front().process()->notes) {
      invocation.console.Warn(note);
    }
  }
  if (network.file.empty() && HasUnreadInput(STDIN_FILENO)) {
    invocation.console.Warn(
        "the command's standard input was empty: mete does not pass its own "
        "on; use -- sh -c './app < file'");
  }
  ExitCode code = ExitCodeFor(runs);
  const bool missed = !std::ranges::all_of(runs, AreLimitsApplied);
  if (code == ExitCode::kDone && missed && !flags.best_effort) {
    invocation.console.Warn(
        "a limit was not applied; use --best-effort to accept that");
    return ExitCode::kInfeasible;
  }
  return code;
}

}  // namespace mete
