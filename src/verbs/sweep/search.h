// Which limit a sweep tries next, from what it has seen so far. Pure: a sweep
// that was broken off goes on because the same points give the same answer.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "domain/sweep.h"

namespace mete {

// The runs at one value of a limit.
struct Tally {
  uint64_t worked = 0;
  uint64_t failed = 0;
  uint64_t ran_dry = 0;  // of the failed: out of memory, or out of time
};
using Tallies = std::map<uint64_t, Tally>;

// The next value of one limit; absent: the search along it is over.
std::optional<uint64_t> NextValue(const SweepPlan& plan,
                                  const LimitRange& range,
                                  const Tallies& tallies);

// The next run. Where both limits are swept, memory is searched at each value
// of the CPUs in turn, from the most down; the first at which not even the most
// memory works is the last.
std::optional<PointLimits> NextPoint(const SweepPlan& plan,
                                     const std::vector<SweepPoint>& points);

// How many runs are still to come at most; a guess, for a progress line.
uint64_t RunsLeft(const SweepPlan& plan, const std::vector<SweepPoint>& points);

// How many runs at a value make it work.
uint64_t RequiredRuns(const SweepPlan& plan);

// The values of a linear sweep, the loosest first, `to` among them only when
// the steps lead there.
std::vector<uint64_t> ListValues(const LimitRange& range);

// The runs by memory limit, of those at this value of the CPUs.
Tallies TalliesByMemory(const std::vector<SweepPoint>& points,
                        std::optional<uint64_t> millicores);
Tallies TalliesByCpus(const std::vector<SweepPoint>& points);

}  // namespace mete
