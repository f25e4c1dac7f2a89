// mete measure for commands, container images, and networks with limits.
#include <algorithm>

#include "cli/measure_actions.h"
#include "cli/run_output.h"
#include "flags/version.h"
#include "measure/application_text.h"

namespace mete {

Result<ExitCode> MeasureProcess(
    Invocation& invocation, const ApplicationFlags& flags,
    const NetworkFlags& network,
    const MeasureApplicationDependencies& dependencies) {
  ASSIGN_OR_RETURN(
      ApplicationSpec spec,
      MakeSpec(flags, invocation.command.value_or(std::vector<std::string>())));
  if (!network.file.empty()) spec.network = MakeNetworkOptions(network);
  auto measured = MeasureApplication(
      {.application = std::move(spec),
       .allow_privileged = flags.allow_privileged,
       .mete_version = kVersion,
       .folder = flags.out},
      dependencies, LinesTo(invocation.console), invocation.stop);
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
