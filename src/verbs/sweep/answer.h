// The result of a sweep: the smallest limit that works and how limits affect
// run time.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "domain/sweep.h"
#include "sweep/search.h"
#include "sweep/time_estimate.h"

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

// Mean time at one CPU limit, over all memory limits.
struct CpuTime {
  uint64_t millicores = 0;
  TimeEstimate time;
  bool bimodal = false;  // steps either run at full speed or wait one period
};

// A pair of limits that worked. Repeated runs count as one point.
struct FrontPoint {
  size_t place = 0;    // index of the first run in `points`
  double seconds = 0;  // mean
  // It is not certain that the point belongs to the front: the interval of its
  // time overlaps with that of a point that needs less memory or CPU.
  bool cannot_tell = false;
};

// Everything a sweep found out about its workload.
struct SweepAnswer {
  std::vector<MemoryFloor> memory;  // most CPUs first; empty when not swept
  std::optional<Floor> cpus;        // set only when memory is not swept
  std::vector<CpuTime> times;       // most CPUs first
  // The CPU limits among which the fastest one is, most CPUs first: more than
  // one if the sweep cannot tell which it is.
  std::vector<uint64_t> fastest;
  // CPU limits whose time has no interval, while that of others has: they were
  // not compared.
  std::vector<uint64_t> not_compared;
  // The Pareto front of memory, CPUs and time, in the order of the runs, as far
  // as the mean times show it.
  std::vector<FrontPoint> front;
  // Points that are not on the front by their mean times, but could be.
  std::vector<FrontPoint> near_front;
  // Whether the floor has as many successful runs as the plan requires.
  bool confirmed = false;
};

SweepAnswer ComputeAnswer(const Sweep& sweep);

// The estimates at the limits of each run, in the order of the runs. Absent
// where no run worked.
std::vector<std::optional<TimeEstimate>> EstimateTimes(const Sweep& sweep);

}  // namespace mete
