// What a sweep found: the least that works, and what limits cost in time.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "domain/sweep.h"
#include "sweep/search.h"

namespace mete {

// The least of one limit that works.
struct Floor {
  // Absent: nothing tried works.
  std::optional<uint64_t> smallest;
  uint64_t runs = 0;  // that worked there
  // The most that failed below it; absent: all that was tried works.
  std::optional<uint64_t> fails;
};
// A value works when none of its runs failed and none above it did. Steps pass
// over what failed for another reason than the limit.
Floor FindFloor(const Tallies& tallies, SweepSearch search);

// The floor of memory at one value of the CPUs (absent: they are not swept).
struct MemoryFloor {
  std::optional<uint64_t> millicores;
  Floor floor;
};

// What runs at one value of the CPUs took on average, whatever their memory.
struct CpuTime {
  uint64_t millicores = 0;
  double seconds = 0;  // of a step where the workload has steps, else of a run
  bool bimodal = false;  // steps run at full speed or wait for the next period
};

// Limits that worked; repeats count once.
struct FrontPoint {
  size_t place = 0;    // of their first run in `points`
  double seconds = 0;  // mean
};

struct SweepAnswer {
  std::vector<MemoryFloor> memory;  // from the most CPUs down; none: not swept
  std::optional<Floor> cpus;        // only when memory is not swept
  std::vector<CpuTime> times;       // from the most CPUs down
  // What no other beats in memory, CPUs and time at once, as it was run.
  std::vector<FrontPoint> front;
  bool confirmed = false;  // the floor worked as often as the plan asks
};

SweepAnswer ComputeAnswer(const Sweep& sweep);

// Seconds of a step, or of the whole run of a workload without steps.
double TimeFor(const SweepPoint& point);

}  // namespace mete
