#include "collect/network_worker_client.h"

#include <fmt/format.h>
#include <signal.h>

#include "support/json.h"

namespace mete {
namespace {

// Reading 500 MB with a tenth of a CPU takes a minute; nothing takes five.
constexpr Seconds kLongestLoad{300};
constexpr Seconds kLongestRun{600};
constexpr Seconds kLongestAnswer{30};

// Texts by which engines report a failed allocation.
bool SaysOutOfMemory(const std::string& text) {
  for (const char* output : {"out of memory", "bad_alloc", "bad allocation",
                             "Failed to allocate memory"}) {
    if (text.find(output) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> NetworkWorkerArguments() {
  return {"bench", "network"};
}

std::vector<std::string> LoadWorkerArguments(int cores) {
  return {"bench", "load", "--cores", std::to_string(cores)};
}

Status OrderLoad(TestbedProcess& load, double cpus, std::stop_token stop) {
  RETURN_IF_ERROR(load.Send(ToLine(BurnOrder(cpus))).While("background load"));
  ASSIGN_OR_RETURN(
      std::string line,
      load.Receive(kLongestAnswer, std::move(stop)).While("background load"));
  return CheckReply(line);
}

// Why the process ended if it did not answer, else the error it reported.
RunOutcome NetworkWorkerClient::OutcomeFor(const Error& error) {
  if (error.code() == ErrorCode::kTimeout) {
    process_.reset();
    return {OutcomeKind::kTimedOut, error.message()};
  }
  ProcessEnding ending = process_->Ending();
  std::string output = process_->last_output();
  process_.reset();
  if (ending.oom_kills > 0) {
    return {OutcomeKind::kOutOfMemory,
            "killed by the kernel at the memory limit"};
  }
  if (SaysOutOfMemory(output)) return {OutcomeKind::kOutOfMemory, output};
  if (!output.empty()) return {OutcomeKind::kCrashed, output};
  return {OutcomeKind::kCrashed,
          ending.signal
              ? fmt::format("signal {}", *ending.signal)
              : fmt::format("exit code {}", ending.exit_code.value_or(-1))};
}

template <typename Value>
Result<WorkerFinding<Value>> NetworkWorkerClient::Ask(
    const Json& order, Result<Value> (*read)(const std::string&),
    Seconds at_most, std::stop_token stop) {
  Status sent = process_->Send(ToLine(order));
  Result<std::string> line =
      sent.ok() ? process_->Receive(at_most, std::move(stop)) : sent.error();
  if (!line.ok() && line.error().code() == ErrorCode::kInterrupted) {
    process_.reset();
    return line.error();
  }
  if (!line.ok()) {
    return WorkerFinding<Value>{.outcome = OutcomeFor(line.error())};
  }
  Result<Value> value = read(*line);
  if (value.ok()) {
    return WorkerFinding<Value>{.value = *std::move(value), .outcome = {}};
  }
  // Without an engine or a file, nothing can be learned about the network.
  ErrorCode code = value.error().code();
  bool of_the_machine = code == ErrorCode::kUnavailable ||
                        code == ErrorCode::kNotFound ||
                        code == ErrorCode::kPermissionDenied;
  if (of_the_machine) return value.error();
  const std::string& message = value.error().message();
  return WorkerFinding<Value>{.outcome = {SaysOutOfMemory(message)
                                              ? OutcomeKind::kOutOfMemory
                                              : OutcomeKind::kRejected,
                                          message}};
}

Result<WorkerFinding<LoadedNetwork>> NetworkWorkerClient::Load(
    const LoadOrder& order, std::stop_token stop) {
  if (process_ == nullptr) {
    ASSIGN_OR_RETURN(process_, testbed_.Start(TestbedRole::kWorkload,
                                              NetworkWorkerArguments()));
  }
  return Ask(ToJson(order), &LoadedFrom, kLongestLoad, std::move(stop));
}

Result<WorkerFinding<TimedRun>> NetworkWorkerClient::Run(const RunOrder& order,
                                                         std::stop_token stop) {
  if (process_ == nullptr) return InvalidInput("run: no network is loaded");
  return Ask(ToJson(order), &TimedRunFrom, kLongestRun, std::move(stop));
}

}  // namespace mete
