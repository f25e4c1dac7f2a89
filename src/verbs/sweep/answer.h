// The result of a sweep: the smallest limit that works and how limits affect
// run time.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "domain/sweep.h"
#include "sweep/search.h"

namespace mete {

// The smallest value of one limit that works.
struct Floor {
  // Absent when no tested value works.
  std::optional<uint64_t> smallest;
  uint64_t runs = 0;  // successful runs at `smallest`
  // The largest failing value below `smallest`. Absent when every tested value
  // works.
  std::optional<uint64_t> fails;
  uint64_t failed_runs = 0;  // at `fails`
  uint64_t tried_runs = 0;   // at `fails`
};
// A value works when none of its runs failed and no larger value failed. A
// linear sweep skips values that failed for a reason other than the limit.
Floor FindFloor(const Tallies& tallies, SweepSearch search);

// The memory floor at one CPU limit (absent when CPUs are not swept).
struct MemoryFloor {
  std::optional<uint64_t> millicores;
  Floor floor;
};

// Mean run time at one CPU limit, over all memory limits.
struct CpuTime {
  uint64_t millicores = 0;
  double seconds = 0;    // per step if the workload has steps, else per run
  bool bimodal = false;  // steps either run at full speed or wait one period
};

// A pair of limits that worked. Repeated runs count as one point.
struct FrontPoint {
  size_t place = 0;    // index of the first run in `points`
  double seconds = 0;  // mean
};

// Everything a sweep found out about its workload.
struct SweepAnswer {
  std::vector<MemoryFloor> memory;  // most CPUs first; empty when not swept
  std::optional<Floor> cpus;        // set only when memory is not swept
  std::vector<CpuTime> times;       // most CPUs first
  // The Pareto front of memory, CPUs and time, in the order of the runs.
  std::vector<FrontPoint> front;
  // Whether the floor has as many successful runs as the plan requires.
  bool confirmed = false;
};

SweepAnswer ComputeAnswer(const Sweep& sweep);

// Seconds per step, or of the whole run if the workload has no steps.
double TimeFor(const SweepPoint& point);

}  // namespace mete
