// Runs networks on a testbed from outside: starts a worker process there, has
// it load and time a network, and reports the outcome.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "collect/worker_protocol.h"
#include "ports/testbed.h"
#include "support/result.h"

namespace mete {

// Result of an order. A workload that does not fit the device is an outcome,
// not an error: there is no value and the outcome is not kCompleted.
template <typename Value>
struct WorkerFinding {
  std::optional<Value> value;
  RunOutcome outcome;
};

// One worker process that holds one network at a time. If the process has
// ended, the next Load starts another.
class NetworkWorkerClient {
 public:
  explicit NetworkWorkerClient(Testbed& testbed) : testbed_(testbed) {}

  // Both fail with kInterrupted when stopped, and otherwise only when the
  // testbed itself fails.
  Result<WorkerFinding<LoadedNetwork>> Load(const LoadOrder& order,
                                            std::stop_token stop);
  Result<WorkerFinding<TimedRun>> Run(const RunOrder& order,
                                      std::stop_token stop);

 private:
  template <typename Value>
  Result<WorkerFinding<Value>> Ask(const Json& order,
                                   Result<Value> (*read)(const std::string&),
                                   Seconds at_most, std::stop_token stop);
  RunOutcome OutcomeFor(const Error& error);

  Testbed& testbed_;
  std::unique_ptr<TestbedProcess> process_;
};

// The hidden arguments that start a worker process of each role.
std::vector<std::string> NetworkWorkerArguments();
std::vector<std::string> LoadWorkerArguments(int cores);

// Sets how many CPUs the load process keeps busy.
Status OrderLoad(TestbedProcess& load, double cpus, std::stop_token stop);

}  // namespace mete
