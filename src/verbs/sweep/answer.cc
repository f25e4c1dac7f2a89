#include "sweep/answer.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace mete {
namespace {

// A step that waits for the next period takes at least twice as long as one
// that does not.
constexpr double kBimodalRatio = 2;

std::vector<MemoryFloor> MemoryFloors(const Sweep& sweep) {
  std::set<std::optional<uint64_t>, std::greater<>> cpus;
  for (const SweepPoint& point : sweep.points) {
    cpus.insert(point.limits.millicores);
  }
  std::vector<MemoryFloor> floors;
  for (std::optional<uint64_t> millicores : cpus) {
    floors.push_back(
        {.millicores = millicores,
         .floor = FindFloor(TalliesByMemory(sweep.points, millicores),
                            sweep.plan.search)});
  }
  return floors;
}

using Runs = std::vector<const SweepPoint*>;

bool Waits(const SweepPoint& point) {
  if (!point.steps || point.throttled.value_or(0) == 0) return false;
  // If fewer than one step in a hundred waits, only the mean shows it.
  return std::max(point.steps->p99, point.steps->mean) >
         kBimodalRatio * point.steps->p50;
}

std::vector<CpuTime> WorkingCpuTimes(const std::vector<SweepPoint>& points) {
  std::map<uint64_t, Runs, std::greater<>> by_cpus;
  for (const SweepPoint& point : points) {
    if (!point.worked || !point.limits.millicores) continue;
    by_cpus[*point.limits.millicores].push_back(&point);
  }
  std::vector<CpuTime> times;
  for (const auto& [millicores, runs] : by_cpus) {
    bool bimodal = std::ranges::any_of(
        runs, [](const SweepPoint* run) { return Waits(*run); });
    times.push_back({.millicores = millicores,
                     .time = *EstimateTime(runs),
                     .bimodal = bimodal});
  }
  return times;
}

// Leaves the times with an interval and returns the limits of the others. If no
// time has one, all stay.
std::vector<uint64_t> RemoveUnknown(std::vector<CpuTime>& times) {
  auto is_known = [](const CpuTime& time) {
    return time.time.interval.has_value();
  };
  if (std::ranges::none_of(times, is_known)) return {};
  std::vector<uint64_t> removed;
  for (const CpuTime& time : times) {
    if (!is_known(time)) removed.push_back(time.millicores);
  }
  std::erase_if(times, std::not_fn(is_known));
  return removed;
}

// All limits that are not certainly slower than the one with the least mean.
std::vector<uint64_t> FindFastest(const std::vector<CpuTime>& times) {
  if (times.empty()) return {};
  const CpuTime& best = *std::ranges::min_element(
      times, {}, [](const CpuTime& time) { return time.time.seconds; });
  std::vector<uint64_t> fastest;
  for (const CpuTime& time : times) {
    if (&time == &best || !IsFaster(best.time, time.time)) {
      fastest.push_back(time.millicores);
    }
  }
  return fastest;
}

// A tested point with the time of its repeats.
struct Candidate {
  size_t place = 0;  // index of its first run
  uint64_t memory = 0;
  uint64_t millicores = 0;
  Runs runs;
  TimeEstimate time;

  bool NeedsNoMoreThan(const Candidate& other) const {
    return memory <= other.memory && millicores <= other.millicores;
  }
  bool Beats(const Candidate& other) const {
    bool better = memory < other.memory || millicores < other.millicores ||
                  time.seconds < other.time.seconds;
    return NeedsNoMoreThan(other) && time.seconds <= other.time.seconds &&
           better;
  }
  // It needs less, and neither is certainly faster.
  bool Questions(const Candidate& other) const {
    return this != &other && NeedsNoMoreThan(other) &&
           !IsFaster(time, other.time) && !IsFaster(other.time, time);
  }
};

std::vector<Candidate> Candidates(const std::vector<SweepPoint>& points) {
  std::map<std::pair<uint64_t, uint64_t>, Candidate> by_limits;
  for (size_t i = 0; i < points.size(); ++i) {
    if (!points[i].worked) continue;
    uint64_t memory = points[i].limits.memory.value_or(0);
    uint64_t millicores = points[i].limits.millicores.value_or(0);
    auto [found, is_new] = by_limits.try_emplace({memory, millicores});
    if (is_new) found->second = {i, memory, millicores, {}, {}};
    found->second.runs.push_back(&points[i]);
  }
  std::vector<Candidate> candidates;
  for (auto& [limits, candidate] : by_limits) {
    candidate.time = *EstimateTime(candidate.runs);
    candidates.push_back(candidate);
  }
  return candidates;
}

void FillFront(const std::vector<SweepPoint>& points, SweepAnswer& answer) {
  const std::vector<Candidate> candidates = Candidates(points);
  for (const Candidate& candidate : candidates) {
    auto any = [&](auto member) {
      return std::ranges::any_of(candidates, [&](const Candidate& other) {
        return (other.*member)(candidate);
      });
    };
    const bool surely_beaten =
        std::ranges::any_of(candidates, [&](const Candidate& other) {
          return other.NeedsNoMoreThan(candidate) &&
                 IsFaster(other.time, candidate.time);
        });
    FrontPoint point{.place = candidate.place,
                     .seconds = candidate.time.seconds,
                     .cannot_tell = any(&Candidate::Questions)};
    if (!any(&Candidate::Beats)) {
      answer.front.push_back(point);
    } else if (!surely_beaten) {
      answer.near_front.push_back(point);
    }
  }
  std::ranges::sort(answer.front, {}, &FrontPoint::place);
  std::ranges::sort(answer.near_front, {}, &FrontPoint::place);
}

}  // namespace

std::vector<std::optional<TimeEstimate>> EstimateTimes(const Sweep& sweep) {
  std::vector<std::optional<TimeEstimate>> times;
  for (const SweepPoint& point : sweep.points) {
    Runs runs;
    for (const SweepPoint& other : sweep.points) {
      if (other.limits == point.limits) runs.push_back(&other);
    }
    times.push_back(EstimateTime(runs));
  }
  return times;
}

Floor FindFloor(const Tallies& tallies, SweepSearch search) {
  Floor floor;
  for (auto tally = tallies.rbegin(); tally != tallies.rend(); ++tally) {
    if (tally->second.failed == 0) {
      floor = {.smallest = tally->first, .runs = tally->second.worked};
      continue;
    }
    if (!floor.fails) {
      floor.fails = tally->first;
      floor.failed_runs = tally->second.failed;
      floor.tried_runs = tally->second.failed + tally->second.worked;
    }
    bool passed_over = search == SweepSearch::kLinear &&
                       tally->second.ran_dry == 0 && floor.smallest;
    if (!passed_over) break;
  }
  return floor;
}

SweepAnswer ComputeAnswer(const Sweep& sweep) {
  SweepAnswer answer;
  const Floor* decisive = nullptr;
  if (sweep.plan.memory) {
    answer.memory = MemoryFloors(sweep);
    if (!answer.memory.empty()) decisive = &answer.memory.front().floor;
  } else if (sweep.plan.cpus) {
    answer.cpus = FindFloor(TalliesByCpus(sweep.points), sweep.plan.search);
    decisive = &*answer.cpus;
  }
  answer.confirmed = decisive != nullptr && decisive->smallest &&
                     decisive->runs >= RequiredRuns(sweep.plan);
  answer.times = WorkingCpuTimes(sweep.points);
  // A value below the floor that works once is luck.
  std::erase_if(answer.times, [&](const CpuTime& time) {
    return answer.cpus && time.millicores < answer.cpus->smallest.value_or(0);
  });
  std::vector<CpuTime> known = answer.times;
  answer.not_compared = RemoveUnknown(known);
  answer.fastest = FindFastest(known);
  FillFront(sweep.points, answer);
  return answer;
}

}  // namespace mete
