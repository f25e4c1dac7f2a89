// A network on a bench, seen from outside: loads it in a process there, has it
// timed, and tells what became of it.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "collect/bench_protocol.h"
#include "ports/workbench.h"
#include "support/result.h"

namespace mete {

// What came of an order. A workload that does not fit the device is an
// outcome; without a value it is not kCompleted.
template <typename Value>
struct BenchFinding {
  std::optional<Value> value;
  RunOutcome outcome;
};

// One process that holds one network at a time. When it ended, the next Load
// starts another.
class BenchNetwork {
 public:
  explicit BenchNetwork(Workbench& bench) : bench_(bench) {}

  // Both fail with kInterrupted on a stop, and otherwise only when the bench
  // itself does not work.
  Result<BenchFinding<LoadedNetwork>> Load(const LoadOrder& order,
                                           std::stop_token stop);
  Result<BenchFinding<TimedRun>> Run(const RunOrder& order,
                                     std::stop_token stop);

 private:
  template <typename Value>
  Result<BenchFinding<Value>> Ask(const Json& order,
                                  Result<Value> (*read)(const std::string&),
                                  Seconds at_most, std::stop_token stop);
  RunOutcome OutcomeOf(const Error& error);

  Workbench& bench_;
  std::unique_ptr<BenchProcess> process_;
};

// The hidden words that start a process of each role.
std::vector<std::string> BenchNetworkWords();
std::vector<std::string> BenchLoadWords(int cores);

// Tells the load's process how many CPUs to keep busy.
Status OrderLoad(BenchProcess& load, double cpus, std::stop_token stop);

}  // namespace mete
