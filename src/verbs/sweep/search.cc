#include "sweep/search.h"

#include <algorithm>
#include <bit>

#include "sweep/sweep_plan.h"
#include "sweep/time_estimate.h"

namespace mete {
namespace {

void Count(const SweepPoint& point, Tally& tally) {
  if (point.worked) {
    ++tally.worked;
    if (point.limits.millicores) {
      tally.observed += ObservedTime(point);
      tally.spent += point.duration;
    }
    return;
  }
  ++tally.failed;
  OutcomeKind kind = point.outcome.kind;
  if (point.too_slow || kind == OutcomeKind::kOutOfMemory ||
      kind == OutcomeKind::kTimedOut) {
    ++tally.ran_dry;
  }
}

Tally FindTally(const Tallies& tallies, uint64_t value) {
  auto found = tallies.find(value);
  return found == tallies.end() ? Tally{} : found->second;
}

// Under a CPU limit, short runs are repeated until they cover enough quota
// periods, unless that takes too long. A time of 0 is not known.
bool NeedsMoreTime(const Tally& tally) {
  constexpr Seconds kEnough = kFewestPeriods * kQuotaPeriod;
  return tally.failed == 0 && tally.observed > Seconds(0) &&
         tally.observed < kEnough && tally.spent < 10 * kEnough;
}

uint64_t RunsAt(const SweepPlan& plan, const Tally& tally) {
  return NeedsMoreTime(tally) ? std::max(plan.repeat, kMostShortRuns)
                              : plan.repeat;
}

// The next value that has fewer runs than it requires and fewer than `runs`.
// A workload that fails at the loosest limit cannot be swept. A failure further
// down that the limit did not cause is recorded and skipped.
std::optional<uint64_t> NextOfPass(const SweepPlan& plan,
                                   const LimitRange& range,
                                   const Tallies& tallies, uint64_t runs) {
  for (uint64_t value : ListValues(range)) {
    Tally tally = FindTally(tallies, value);
    bool last = tally.ran_dry > 0 || (value == range.from && tally.failed > 0);
    if (last) return std::nullopt;
    if (tally.worked + tally.failed < std::min(runs, RunsAt(plan, tally))) {
      return value;
    }
  }
  return std::nullopt;
}

// CPU limits are repeated in turn, so that the repeats show what changes while
// the sweep runs: a machine that gets busier. Memory limits are repeated at
// once, because the first one that fails ends the search.
std::optional<uint64_t> NextLinear(const SweepPlan& plan,
                                   const LimitRange& range,
                                   const Tallies& tallies) {
  const uint64_t most = std::max(plan.repeat, kMostShortRuns);
  for (uint64_t runs = plan.memory ? most : 1; runs <= most; ++runs) {
    if (auto value = NextOfPass(plan, range, tallies, runs)) return value;
  }
  return std::nullopt;
}

// The grid a bisection searches: index 0 is `to`, `last` is `from`.
struct Grid {
  const LimitRange& range;
  int64_t last;

  explicit Grid(const LimitRange& given)
      : range(given),
        last(static_cast<int64_t>((given.from - given.to + given.step - 1) /
                                  given.step)) {}
  uint64_t Value(int64_t place) const {
    return std::min(range.from,
                    range.to + static_cast<uint64_t>(place) * range.step);
  }
};

// Bounds of the floor: above `fails` and at most `works`. -1: nothing failed.
struct Bracket {
  int64_t fails = -1;
  int64_t works = 0;
};

// A value works while none of its runs failed. After one failure all smaller
// values count as failing, whatever their runs did.
Bracket FindBracket(const Grid& grid, const Tallies& tallies) {
  Bracket bracket{.works = grid.last};
  for (int64_t place = grid.last; place >= 0; --place) {
    Tally tally = FindTally(tallies, grid.Value(place));
    if (tally.failed > 0) {
      bracket.fails = place;
      break;
    }
    if (tally.worked > 0) bracket.works = place;
  }
  return bracket;
}

// A value whose runs were too short to tell how fast the workload is.
std::optional<uint64_t> FindShort(const Tallies& tallies) {
  for (const auto& [value, tally] : tallies) {
    if (NeedsMoreTime(tally) && tally.worked < kMostShortRuns) return value;
  }
  return std::nullopt;
}

std::optional<uint64_t> NextBisect(const SweepPlan& plan,
                                   const LimitRange& range,
                                   const Tallies& tallies) {
  Tally top = FindTally(tallies, range.from);
  if (top.failed > 0) return std::nullopt;
  if (top.worked == 0) return range.from;
  if (auto value = FindShort(tallies)) return value;
  Grid grid(range);
  Bracket bracket = FindBracket(grid, tallies);
  if (bracket.works - bracket.fails > 1) {
    return grid.Value(bracket.fails + (bracket.works - bracket.fails) / 2);
  }
  uint64_t smallest = grid.Value(bracket.works);
  if (FindTally(tallies, smallest).worked < plan.confirm) return smallest;
  return std::nullopt;
}

uint64_t LeftOnAxis(const SweepPlan& plan, const LimitRange& range,
                    const Tallies& tallies) {
  if (!NextValue(plan, range, tallies)) return 0;
  if (plan.search == SweepSearch::kBisect && range.step > 0) {
    Bracket bracket = FindBracket(Grid(range), tallies);
    auto width = static_cast<uint64_t>(bracket.works - bracket.fails);
    return static_cast<uint64_t>(std::bit_width(width)) + plan.confirm - 1;
  }
  uint64_t left = 0;
  for (uint64_t value : ListValues(range)) {
    Tally tally = FindTally(tallies, value);
    uint64_t done = tally.worked + tally.failed;
    if (done < plan.repeat) left += plan.repeat - done;
  }
  return left;
}

bool NothingWorks(const LimitRange& range, const Tallies& tallies) {
  return FindTally(tallies, range.from).failed > 0;
}

}  // namespace

uint64_t RequiredRuns(const SweepPlan& plan) {
  return plan.search == SweepSearch::kBisect ? plan.confirm : plan.repeat;
}

std::vector<uint64_t> ListValues(const LimitRange& range) {
  std::vector<uint64_t> values = {range.from};
  if (range.step == 0) return values;
  for (uint64_t value = range.from; value >= range.to + range.step;) {
    value -= range.step;
    values.push_back(value);
  }
  return values;
}

Tallies TalliesByMemory(const std::vector<SweepPoint>& points,
                        std::optional<uint64_t> millicores) {
  Tallies tallies;
  for (const SweepPoint& point : points) {
    if (point.limits.memory && point.limits.millicores == millicores) {
      Count(point, tallies[*point.limits.memory]);
    }
  }
  return tallies;
}

Tallies TalliesByCpus(const std::vector<SweepPoint>& points) {
  Tallies tallies;
  for (const SweepPoint& point : points) {
    if (point.limits.millicores) {
      Count(point, tallies[*point.limits.millicores]);
    }
  }
  return tallies;
}

std::optional<uint64_t> NextValue(const SweepPlan& plan,
                                  const LimitRange& range,
                                  const Tallies& tallies) {
  bool bisect = plan.search == SweepSearch::kBisect && range.step > 0;
  return bisect ? NextBisect(plan, range, tallies)
                : NextLinear(plan, range, tallies);
}

std::optional<PointLimits> NextPoint(const SweepPlan& plan,
                                     const std::vector<SweepPoint>& points) {
  if (!plan.memory) {
    if (!plan.cpus) return std::nullopt;
    auto value = NextValue(plan, *plan.cpus, TalliesByCpus(points));
    if (!value) return std::nullopt;
    return PointLimits{.memory = std::nullopt, .millicores = value};
  }
  std::vector<std::optional<uint64_t>> cpus = {std::nullopt};
  if (plan.cpus) {
    std::vector<uint64_t> values = ListValues(*plan.cpus);
    cpus.assign(values.begin(), values.end());
  }
  for (std::optional<uint64_t> millicores : cpus) {
    Tallies tallies = TalliesByMemory(points, millicores);
    if (auto memory = NextValue(plan, *plan.memory, tallies)) {
      return PointLimits{.memory = memory, .millicores = millicores};
    }
    if (NothingWorks(*plan.memory, tallies)) return std::nullopt;
  }
  return std::nullopt;
}

uint64_t RunsLeft(const SweepPlan& plan,
                  const std::vector<SweepPoint>& points) {
  if (!plan.memory) {
    return plan.cpus ? LeftOnAxis(plan, *plan.cpus, TalliesByCpus(points)) : 0;
  }
  if (!plan.cpus) {
    return LeftOnAxis(plan, *plan.memory,
                      TalliesByMemory(points, std::nullopt));
  }
  uint64_t left = 0;
  for (uint64_t millicores : ListValues(*plan.cpus)) {
    left += LeftOnAxis(plan, *plan.memory, TalliesByMemory(points, millicores));
  }
  return left;
}

}  // namespace mete
