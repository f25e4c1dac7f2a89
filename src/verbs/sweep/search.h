// Decides which limit a sweep tries next from the points so far. Pure: an
// interrupted sweep can resume because the same points give the same answer.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "domain/sweep.h"

namespace mete {

// Counts the runs at one value of a limit.
struct Tally {
  uint64_t worked = 0;
  uint64_t failed = 0;
  // The failed runs that the limit caused: out of memory or timed out.
  uint64_t ran_dry = 0;
  // How long the successful runs observed the workload, and how long they took.
  // Only of runs under a CPU limit.
  Seconds observed{0};
  Seconds spent{0};
};
using Tallies = std::map<uint64_t, Tally>;

// The next value of one limit. Absent when the search along it is done.
std::optional<uint64_t> NextValue(const SweepPlan& plan,
                                  const LimitRange& range,
                                  const Tallies& tallies);

// The limits of the next run. If both limits are swept, memory is searched at
// each CPU limit in turn, starting with the most CPUs. The search ends at the
// first CPU limit where even the most memory is not enough.
std::optional<PointLimits> NextPoint(const SweepPlan& plan,
                                     const std::vector<SweepPoint>& points);

// An upper estimate of the remaining runs, for a progress line.
uint64_t RunsLeft(const SweepPlan& plan, const std::vector<SweepPoint>& points);

// How many successful runs a value needs to count as working.
uint64_t RequiredRuns(const SweepPlan& plan);

// The values of a linear sweep, largest first. Includes `to` only if the steps
// reach it exactly.
std::vector<uint64_t> ListValues(const LimitRange& range);

// Counts the runs at this CPU limit by memory limit.
Tallies TalliesByMemory(const std::vector<SweepPoint>& points,
                        std::optional<uint64_t> millicores);
// Counts all runs by CPU limit.
Tallies TalliesByCpus(const std::vector<SweepPoint>& points);

}  // namespace mete
