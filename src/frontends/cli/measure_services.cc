// mete measure for processes and containers that already run.
#include "cli/measure_actions.h"
#include "cli/run_output.h"
#include "flags/version.h"
#include "support/units.h"

namespace mete {

Result<ExitCode> ObserveProcessOrContainer(
    Invocation& invocation, const ServiceFlags& flags,
    const ApplicationFlags& application,
    const ObserveDependencies& dependencies) {
  // The other flags of applications are refused, so the spec has only these.
  ASSIGN_OR_RETURN(ApplicationSpec spec, MakeSpec(application, {}));
  ObserveRequest request{
      .target = {.pid = flags.pid, .container = flags.container},
      .sample_hertz = spec.sample_hertz,
      .probes = spec.probes,
      .mete_version = kVersion,
      .folder = application.out};
  if (flags.duration) request.duration = *ParseDuration(*flags.duration);
  auto observed = ObserveService(request, dependencies,
                                 LinesTo(invocation.console), invocation.stop);
  invocation.console.ClearProgress();
  if (!observed.ok()) return observed.error();
  const Run& run = observed->runs.front();
  PrintRuns(invocation.output, observed->runs);
  RETURN_IF_ERROR(observed->stored);
  switch (run.outcome.kind) {
    case OutcomeKind::kInterrupted:
      return ExitCode::kInterrupted;
    case OutcomeKind::kOutOfMemory:
      return ExitCode::kInfeasible;
    default:
      return ExitCode::kDone;  // no exit code is known
  }
}

}  // namespace mete
