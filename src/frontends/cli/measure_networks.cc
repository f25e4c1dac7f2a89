// mete measure for networks, in this process or in several fresh ones.
#include <fmt/format.h>

#include <algorithm>

#include "cli/measure_actions.h"
#include "domain/run_json.h"
#include "domain/run_words.h"
#include "flags/version.h"
#include "measure/network_options.h"
#include "measure/repeat_network.h"
#include "measure/run_table.h"
#include "support/json.h"
#include "support/text.h"

namespace mete {
namespace {

Result<NetworkMeasurementRequest> MakeRequest(const MeasuredNetworkFlags& flags,
                                              const Settings& settings) {
  const NetworkDefaults defaults = NetworkDefaultsFrom(settings);
  ASSIGN_OR_RETURN(
      MeasureRequest request,
      MakeMeasureRequest(MakeNetworkOptions(flags.network), defaults));
  request.threads = flags.threads.value_or(defaults.threads);
  request.pin = flags.pin;
  request.trace = flags.trace;
  request.mete_version = kVersion;
  return NetworkMeasurementRequest{.measure = std::move(request),
                                   .expected_device = flags.device};
}

ProgressCallback ShowProgress(Console& console) {
  return [&console](const MeasureProgress& progress) {
    std::string bound;
    if (progress.of_iterations) {
      bound = " of " + FormatCount(*progress.of_iterations);
    } else if (progress.at_most) {
      bound = fmt::format(", {:.0f} s of at most {:.0f} s",
                          progress.elapsed.count(), progress.at_most->count());
    }
    console.Progress("measuring: " + Counted(progress.iterations, "iteration") +
                     bound);
  };
}

// Prints what happens, and adds warnings to `warned`.
MeasureNetworkCallbacks ReportTo(Invocation& invocation,
                                 std::vector<std::string>& warned) {
  Console& console = invocation.console;
  return {.warn =
              [&console, &warned](const std::string& line) {
                console.Warn(line);
                if (!console.quiet()) warned.push_back(line);
              },
          .process =
              [&console](uint64_t process, uint64_t all) {
                console.Progress(
                    fmt::format("measuring: process {} of {}", process, all));
              },
          .opened =
              [&console, &invocation](const EngineVersion& engine) {
                console.Detail("engine: " + engine.name + " " + engine.version);
                console.Detail("store: " + invocation.settings.Text("store"));
              },
          .progress = ShowProgress(console)};
}

// The run as text should show it: without the notes that were warnings before.
Run WithoutNotes(Run run, const std::vector<std::string>& warned) {
  std::erase_if(run.network()->notes,
                [&](const std::string& note) { return HasItem(warned, note); });
  return run;
}

// The text contains the verdict and the notes; other formats have them where
// nobody looks.
void WarnBesideResult(Invocation& invocation, const Verdict& verdict,
                      const Run& shown) {
  if (invocation.output.format() == OutputFormat::kTable) return;
  if (!verdict.explanation.empty()) {
    invocation.console.Warn(ToWords(verdict.kind) + ": " + verdict.explanation);
  }
  for (const std::string& note : shown.network()->notes) {
    invocation.console.Warn(note);
  }
}

ExitCode ExitCodeFor(const Verdict& verdict) {
  return verdict.kind == VerdictKind::kStable ? ExitCode::kDone
                                              : ExitCode::kUnstable;
}

void NoteLayers(Invocation& invocation, const MeasuredNetworkFlags& flags) {
  if (flags.network.layers &&
      invocation.output.format() == OutputFormat::kCsv) {
    invocation.console.Note("CSV does not include layers; use -o json");
  }
}

Result<ExitCode> MeasureHere(Invocation& invocation,
                             const MeasuredNetworkFlags& flags,
                             NetworkMeasurementRequest request,
                             const MeasureNetworkDependencies& dependencies) {
  std::vector<std::string> warned;
  auto measured =
      MeasureAndStoreNetwork(std::move(request), dependencies,
                             ReportTo(invocation, warned), invocation.stop);
  invocation.console.ClearProgress();
  if (!measured.ok()) return measured.error();
  const Run& run = measured->run;
  const Run shown = WithoutNotes(run, warned);
  invocation.output.Print({
      .text = [&] { return RunText(shown, flags.top.value_or(SIZE_MAX)); },
      .json = [&] { return RunToJson(run); },
      .csv = [&] { return RunCsv({run}); },
  });
  RETURN_IF_ERROR(measured->stored);
  WarnBesideResult(invocation, run.verdict(), shown);
  NoteLayers(invocation, flags);
  if (run.outcome.kind == OutcomeKind::kInterrupted) {
    return ExitCode::kInterrupted;
  }
  return ExitCodeFor(run.verdict());
}

Result<ExitCode> MeasureInProcesses(
    Invocation& invocation, const MeasuredNetworkFlags& flags,
    NetworkMeasurementRequest request,
    const MeasureNetworkDependencies& dependencies) {
  const uint64_t repeat = request.repeat;
  std::vector<std::string> warned;
  auto measured = RepeatNetwork(std::move(request), dependencies,
                                ReportTo(invocation, warned), invocation.stop);
  invocation.console.ClearProgress();
  if (!measured.ok()) return measured.error();
  const std::vector<Run>& runs = measured->runs;
  std::vector<Run> shown = runs;
  shown.front() = WithoutNotes(runs.front(), warned);
  invocation.output.Print({
      .text = [&] { return NetworkRepeatText(shown); },
      .json = [&] { return NetworkRepeatJson(runs); },
      .csv = [&] { return RunCsv(runs); },
  });
  RETURN_IF_ERROR(measured->stored);
  const Verdict& verdict = runs.front().network()->repeats->verdict;
  WarnBesideResult(invocation, verdict, shown.front());
  NoteLayers(invocation, flags);
  if (runs.size() < repeat) {
    invocation.console.Warn(fmt::format(
        "interrupted: {} of {} processes were run", runs.size(), repeat));
    return ExitCode::kInterrupted;
  }
  return ExitCodeFor(verdict);
}

}  // namespace

Result<ExitCode> MeasureNetworkFile(
    Invocation& invocation, const MeasuredNetworkFlags& flags, uint64_t repeat,
    const MeasureNetworkDependencies& dependencies) {
  ASSIGN_OR_RETURN(NetworkMeasurementRequest request,
                   MakeRequest(flags, invocation.settings));
  request.repeat = repeat;
  if (repeat > 1) {
    return MeasureInProcesses(invocation, flags, std::move(request),
                              dependencies);
  }
  return MeasureHere(invocation, flags, std::move(request), dependencies);
}

}  // namespace mete
