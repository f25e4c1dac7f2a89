// A network on a bench, seen from outside: loads it in a process there, has it
// timed, and tells what became of it.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "collect/worker_protocol.h"
#include "ports/testbed.h"
#include "support/result.h"

namespace mete {

// What came of an order. A workload that does not fit the device is an
// outcome; without a value it is not kCompleted.
template <typename Value>
struct WorkerFinding {
  std::optional<Value> value;
  RunOutcome outcome;
};

// One process that holds one network at a time. When it ended, the next Load
// starts another.
class NetworkWorkerClient {
 public:
  explicit NetworkWorkerClient(Testbed& testbed) : testbed_(testbed) {}

  // Both fail with kInterrupted on a stop, and otherwise only when the bench
  // itself does not work.
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

// The hidden words that start a process of each role.
std::vector<std::string> NetworkWorkerArguments();
std::vector<std::string> LoadWorkerArguments(int cores);

// Tells the load's process how many CPUs to keep busy.
Status OrderLoad(TestbedProcess& load, double cpus, std::stop_token stop);

}  // namespace mete
