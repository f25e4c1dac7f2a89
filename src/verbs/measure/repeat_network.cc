#include "measure/repeat_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "measure/keep_run.h"
#include "measure/network_reply.h"
#include "measure/process_repeats.h"

namespace mete {
namespace {

// The process ends by its own rules; this only bounds a machine that hangs.
constexpr Seconds kLongestProcess{7 * 24 * 3600.0};

Result<Run> MeasureInProcess(const MeasureRequest& request,
                             const StartSelf& start_self,
                             std::stop_token stop) {
  ASSIGN_OR_RETURN(auto process, start_self(NetworkProcessArguments(request)));
  auto line = process->Receive(kLongestProcess, std::move(stop));
  if (line.ok()) return RunFromReply(*line);
  if (line.error().code() != ErrorCode::kUnavailable) return line.error();
  const std::string& output = process->last_output();
  return Unavailable("the measuring process ended without a result" +
                     (output.empty() ? "" : ": " + output));
}

// What only this process knows. The other one has no store.
void Complete(const MeasureRequest& request, RunEntropy entropy, Run& run) {
  run.id = MakeRunId(run.started_at, entropy);
  run.workload.name = request.name;
  run.workload.source = request.network.string();
  run.workload.sha256 = request.sha256;
  run.device_id = request.device_id;
  run.device_name = request.device_name;
  run.network()->arguments = request.arguments;
}

// The run whose median is in the middle speaks for all of them.
const Run& MiddleRun(const std::vector<Run>& runs) {
  std::vector<const Run*> sorted;
  for (const Run& run : runs) sorted.push_back(&run);
  std::ranges::sort(
      sorted, {}, [](const Run* run) { return run->network()->latency->p50; });
  return *sorted[(sorted.size() - 1) / 2];
}

double TargetOf(const MeasureRequest& request) {
  auto* until = std::get_if<UntilPrecise>(&request.ending);
  return until == nullptr ? request.precision : until->target;
}

}  // namespace

std::vector<std::string> NetworkProcessArguments(
    const MeasureRequest& request) {
  std::vector<std::string> arguments = {"bench", "measure"};
  arguments.insert(arguments.end(), request.arguments.begin(),
                   request.arguments.end());
  arguments.insert(arguments.end(),
                   {"--threads", std::to_string(request.threads)});
  if (request.pin) {
    arguments.insert(arguments.end(), {"--pin", *request.pin});
  }
  return arguments;
}

Result<RepeatedMeasurement> RepeatNetwork(
    NetworkMeasurementRequest request,
    const MeasureNetworkDependencies& dependencies,
    const MeasureNetworkCallbacks& callbacks, std::stop_token stop) {
  ASSIGN_OR_RETURN(
      PreparedNetwork prepared,
      PrepareNetwork(std::move(request.measure), request.expected_device,
                     dependencies, callbacks, stop));
  const MeasureRequest& measure = prepared.measure;
  const uint64_t repeat = request.repeat;
  RepeatedMeasurement measured;
  std::vector<Run>& runs = measured.runs;
  MeasureRequest stored = measure;
  stored.arguments.insert(stored.arguments.end(),
                          {"--repeat", std::to_string(repeat)});
  std::optional<Error> failure;  // of the last process
  while (runs.size() < repeat) {
    if (callbacks.process) callbacks.process(runs.size() + 1, repeat);
    auto run = MeasureInProcess(measure, dependencies.start_self, stop);
    if (!run.ok()) {
      failure = run.error();
      break;
    }
    Complete(stored, dependencies.draw_entropy(), *run);
    runs.push_back(*std::move(run));
  }
  const bool stopped = failure && failure->code() == ErrorCode::kInterrupted;
  if (runs.empty() && stopped) {
    return Error(ErrorCode::kInterrupted, "stopped before anything was timed");
  }
  if (runs.empty()) return *failure;
  ProcessRepeats repeats = SummariseProcesses(runs, TargetOf(measure));
  std::vector<std::string> notes =
      NotesFor(MiddleRun(runs), prepared.check, dependencies.runs);
  for (Run& run : runs) {
    repeats.index = static_cast<uint64_t>(&run - runs.data()) + 1;
    run.network()->repeats = repeats;
    run.network()->notes = notes;
  }
  // Nobody looked at the machine before the others.
  KeepLoad(prepared.check, runs.front().environment);
  for (const Run& run : runs) {
    Status kept = KeepRun(dependencies.runs, run);
    if (measured.stored.ok()) measured.stored = kept;
  }
  if (failure && !stopped) {
    return failure->While(fmt::format("process {}", runs.size() + 1));
  }
  return measured;
}

}  // namespace mete
