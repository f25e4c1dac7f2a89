// A sweep: one workload run under ever tighter limits, to find how little it
// needs.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "domain/run.h"
#include "support/units.h"

namespace mete {

// The values of one limit, from the loosest down: bytes, or thousandths of a
// CPU. Plain numbers, because the search treats both alike. A step of 0 means a
// single value.
struct LimitRange {
  uint64_t from = 0;
  uint64_t to = 0;
  uint64_t step = 0;
  bool operator==(const LimitRange&) const = default;
};

// How a sweep chooses the next value of a limit.
enum class SweepSearch {
  kLinear,  // every value in turn, until one fails
  kBisect,  // halves the unknown range, then confirms the smallest that works
};

// A bound on a statistic of the workload's step.
struct StepObjective {
  std::string statistic;  // "mean", "p50", "p95", "p99"
  Seconds at_most{0};
  bool operator==(const StepObjective&) const = default;
};

// Which limits a sweep tightens, over which values, and how often it runs the
// workload at each.
struct SweepPlan {
  std::optional<LimitRange> memory;  // bytes
  std::optional<LimitRange> cpus;    // millicores
  SweepSearch search = SweepSearch::kLinear;
  uint64_t repeat = 1;   // runs at a value, linear
  uint64_t confirm = 3;  // runs in a row that make a value work, bisecting
  // Before each run, the files of the workload are evicted from the page
  // cache, as on a machine that has just started.
  bool cold = false;
  // A run works only if it takes at most this many times as long as with the
  // loosest value of the swept limit. Absent: however long it takes.
  std::optional<double> slowdown;
  std::optional<StepObjective> objective;
  bool operator==(const SweepPlan&) const = default;
};

// The limits of one run of a sweep, as values of their LimitRange. Absent: not
// swept.
struct PointLimits {
  std::optional<uint64_t> memory;  // bytes
  std::optional<uint64_t> millicores;
  bool operator==(const PointLimits&) const = default;
};

// How long the repeated step of a workload took: an epoch, an inference.
struct StepTimes {
  std::string name;
  uint64_t count = 0;
  Seconds mean{0};
  Seconds p50{0};
  Seconds p99{0};
  std::optional<Seconds> p95{};  // absent in sweeps of older versions
  // The 95 % confidence interval of the mean. Absent when there were too few
  // steps, and in sweeps of older versions.
  std::optional<Seconds> mean_low{};
  std::optional<Seconds> mean_high{};
};

// One run under limits. Absent: cannot be read here, or was not reported.
struct SweepPoint {
  PointLimits limits;
  std::string run_id;
  RunOutcome outcome;
  // Completed with a successful exit code and fast enough.
  bool worked = false;
  bool too_slow = false;  // completed, but not fast enough
  std::chrono::system_clock::time_point started_at;
  Seconds duration{0};
  std::optional<Seconds> cpu_time;
  std::optional<Bytes> peak_memory;
  // Of the workload's files, what was in the page cache when a cold run
  // started, because other programs use it. Not part of the peak.
  std::optional<Bytes> cached;
  std::optional<double> throttled;        // share of its quota periods, 0 to 1
  std::map<std::string, Seconds> phases;  // reported through its hooks
  std::optional<StepTimes> steps;
  // The last line that a run which failed for its own reasons printed.
  std::string last_output{};
};

// A workload run under ever tighter limits: the plan and every run made so far.
struct Sweep {
  static constexpr int kSchemaVersion = 1;

  std::string id;  // sorts by time of start
  // Identifies workload, plan and device. An interrupted sweep is found again
  // by its key.
  std::string key;
  std::chrono::system_clock::time_point started_at;
  std::string workload;  // its name
  std::string command;   // shell command that runs it once
  std::string device_name;
  SweepPlan plan;
  std::vector<SweepPoint> points;  // in the order they were run
  bool finished = false;
  // What may have disturbed its times, one sentence each.
  std::vector<std::string> notes{};
};

}  // namespace mete
