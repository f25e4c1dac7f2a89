#include "sweep/answer.h"

#include <algorithm>
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

std::vector<CpuTime> WorkingCpuTimes(const std::vector<SweepPoint>& points) {
  struct Sum {
    double seconds = 0;
    double count = 0;
    bool bimodal = false;
  };
  std::map<uint64_t, Sum, std::greater<>> sums;
  for (const SweepPoint& point : points) {
    if (!point.worked || !point.limits.millicores) continue;
    Sum& sum = sums[*point.limits.millicores];
    sum.seconds += TimeFor(point);
    sum.count += 1;
    bool waits = point.steps && point.throttled.value_or(0) > 0 &&
                 point.steps->p99 > kBimodalRatio * point.steps->p50;
    sum.bimodal = sum.bimodal || waits;
  }
  std::vector<CpuTime> times;
  for (const auto& [millicores, sum] : sums) {
    times.push_back({millicores, sum.seconds / sum.count, sum.bimodal});
  }
  return times;
}

// A tested point with the mean time of its repeats.
struct Candidate {
  size_t place = 0;  // index of its first run
  uint64_t memory = 0;
  uint64_t millicores = 0;
  double seconds = 0;
  double count = 0;

  bool Beats(const Candidate& other) const {
    bool no_worse = memory <= other.memory && millicores <= other.millicores &&
                    seconds <= other.seconds;
    bool better = memory < other.memory || millicores < other.millicores ||
                  seconds < other.seconds;
    return no_worse && better;
  }
};

std::vector<Candidate> Candidates(const std::vector<SweepPoint>& points) {
  std::map<std::pair<uint64_t, uint64_t>, Candidate> by_limits;
  for (size_t i = 0; i < points.size(); ++i) {
    if (!points[i].worked) continue;
    uint64_t memory = points[i].limits.memory.value_or(0);
    uint64_t millicores = points[i].limits.millicores.value_or(0);
    auto [found, is_new] = by_limits.try_emplace({memory, millicores});
    if (is_new) found->second = {i, memory, millicores};
    found->second.seconds += TimeFor(points[i]);
    found->second.count += 1;
  }
  std::vector<Candidate> candidates;
  for (auto& [limits, candidate] : by_limits) {
    candidate.seconds /= candidate.count;
    candidates.push_back(candidate);
  }
  return candidates;
}

std::vector<FrontPoint> Front(const std::vector<SweepPoint>& points) {
  std::vector<Candidate> candidates = Candidates(points);
  std::vector<FrontPoint> front;
  for (const Candidate& candidate : candidates) {
    bool beaten = std::ranges::any_of(candidates, [&](const Candidate& other) {
      return other.Beats(candidate);
    });
    if (!beaten) front.push_back({candidate.place, candidate.seconds});
  }
  std::ranges::sort(front, {}, &FrontPoint::place);
  return front;
}

}  // namespace

double TimeFor(const SweepPoint& point) {
  return (point.steps ? point.steps->mean : point.duration).count();
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
  answer.front = Front(sweep.points);
  return answer;
}

}  // namespace mete
