#include "contention/deepsets_points.h"

#include <algorithm>
#include <map>

#include "support/check.h"
#include "support/random.h"

namespace mete {
namespace {

constexpr std::array<TimeStatistic, kDeepSetsOutputs> kOutputs = {
    TimeStatistic::kMean, TimeStatistic::kP75, TimeStatistic::kP95};
// Merged targets double with every tenant of an application.
constexpr size_t kMostMerged = 6;
constexpr double kAbsentShare = 0.5;
constexpr double kAbsentInstances = 0.05;

size_t NumberOf(const std::string& application,
                std::span<const std::string> applications) {
  auto found = std::ranges::lower_bound(applications, application);
  CHECK(found != applications.end() && *found == application)
      << "an application that the network does not have";
  return static_cast<size_t>(found - applications.begin());
}

// Tenants of an application, merged: sums of instances, means of rates.
std::vector<DeepSetsElement> GroupElements(
    const std::map<size_t, std::vector<const Tenant*>>& by_application) {
  std::vector<DeepSetsElement> elements;
  for (const auto& [application, tenants] : by_application) {
    DeepSetsElement element{.application = application, .instances = 0};
    for (const Tenant* tenant : tenants) {
      element.instances += tenant->instances;
      element.rate += tenant->rate / static_cast<double>(tenants.size());
    }
    elements.push_back(element);
  }
  return elements;
}

std::vector<DeepSetsElement> ContextWithout(
    std::span<const Tenant> tenants, std::span<const size_t> merged,
    std::span<const std::string> applications) {
  std::map<size_t, std::vector<const Tenant*>> others;
  for (size_t i = 0; i < tenants.size(); ++i) {
    if (std::ranges::find(merged, i) != merged.end()) continue;
    others[NumberOf(tenants[i].application, applications)].push_back(
        &tenants[i]);
  }
  return GroupElements(others);
}

bool WasMeasured(const MixObservation& row, TimeKind kind) {
  return std::ranges::all_of(kOutputs, [&](TimeStatistic statistic) {
    return MeasuredTime(row, {.kind = kind, .statistic = statistic})
        .has_value();
  });
}

// Adds a share of what was measured of one tenant.
void AddShare(const MixObservation& row, TimeKind kind, double share,
              DeepSetsPoint& point) {
  point.target.instances += row.tenant.instances;
  point.target.rate += row.tenant.rate * share;
  for (size_t i = 0; i < kOutputs.size(); ++i) {
    point.times[i] +=
        share * *MeasuredTime(row, {.kind = kind, .statistic = kOutputs[i]});
  }
  const std::optional<double> counted[] = {row.usage.cpu_cores,
                                           row.usage.cache_misses_per_s,
                                           row.usage.page_faults_per_s};
  for (size_t i = 0; i < kDeepSetsCounters; ++i) {
    if (counted[i]) {
      point.counters[i] = point.counters[i].value_or(0) + share * *counted[i];
    }
  }
}

// Points of all subsets of the rows of one application.
void AddMerged(const MeasuredMix& mix, std::span<const size_t> rows,
               const DeepSetsPointsRequest& request,
               std::vector<DeepSetsPoint>& points) {
  const std::vector<Tenant> tenants = mix.Tenants();
  const size_t count = std::min(rows.size(), kMostMerged);
  for (size_t subset = 1; subset < (size_t{1} << count); ++subset) {
    std::vector<size_t> merged;
    for (size_t i = 0; i < count; ++i) {
      if ((subset >> i & 1) != 0) merged.push_back(rows[i]);
    }
    DeepSetsPoint point{
        .target = {.application = NumberOf(tenants[merged[0]].application,
                                           request.applications),
                   .instances = 0},
        .context = ContextWithout(tenants, merged, request.applications)};
    if (point.context.empty()) continue;
    for (size_t row : merged) {
      AddShare(mix.rows[row], request.kind,
               1 / static_cast<double>(merged.size()), point);
    }
    points.push_back(std::move(point));
  }
}

// With a chance of one half, a copy that is hardly there, beside a part of the
// context.
std::vector<DeepSetsPoint> AbsentTargets(std::span<const DeepSetsPoint> points,
                                         uint64_t seed) {
  Random random(DeriveSeed(seed, "absent targets"));
  std::vector<DeepSetsPoint> absent;
  for (const DeepSetsPoint& point : points) {
    if (random.Uniform() >= kAbsentShare) continue;
    DeepSetsPoint copy{.target = point.target};
    copy.target.instances = kAbsentInstances * random.Uniform();
    for (const DeepSetsElement& element : point.context) {
      if (random.Uniform() < 0.5) copy.context.push_back(element);
    }
    absent.push_back(std::move(copy));
  }
  return absent;
}

}  // namespace

std::vector<DeepSetsElement> ContextOf(
    std::span<const Tenant> tenants, size_t target,
    std::span<const std::string> applications) {
  return ContextWithout(tenants, {{target}}, applications);
}

std::vector<DeepSetsPoint> MakeDeepSetsPoints(
    std::span<const MeasuredMix> mixes, const DeepSetsPointsRequest& request) {
  std::vector<DeepSetsPoint> points;
  for (const MeasuredMix& mix : mixes) {
    std::map<std::string, std::vector<size_t>> rows;
    for (size_t i = 0; i < mix.rows.size(); ++i) {
      if (!WasMeasured(mix.rows[i], request.kind)) continue;
      rows[mix.rows[i].tenant.application].push_back(i);
    }
    for (const auto& [application, own] : rows) {
      AddMerged(mix, own, request, points);
    }
  }
  if (request.absent_targets) {
    auto absent = AbsentTargets(points, request.seed);
    points.insert(points.end(), absent.begin(), absent.end());
  }
  return points;
}

std::vector<std::array<double, kDeepSetsOutputs>> LargestTimes(
    std::span<const DeepSetsPoint> points, size_t applications) {
  std::vector<std::array<double, kDeepSetsOutputs>> largest(applications);
  for (const DeepSetsPoint& point : points) {
    auto& own = largest[point.target.application];
    for (size_t i = 0; i < own.size(); ++i) {
      own[i] = std::max(own[i], point.times[i]);
    }
  }
  for (auto& own : largest) {
    for (double& time : own) time = time > 0 ? time : 1;
  }
  return largest;
}

std::array<double, kDeepSetsCounters> LargestCounters(
    std::span<const DeepSetsPoint> points) {
  std::array<double, kDeepSetsCounters> largest{};
  for (const DeepSetsPoint& point : points) {
    for (size_t i = 0; i < largest.size(); ++i) {
      largest[i] = std::max(largest[i], point.counters[i].value_or(0));
    }
  }
  for (double& counter : largest) counter = counter > 0 ? counter : 1;
  return largest;
}

}  // namespace mete
