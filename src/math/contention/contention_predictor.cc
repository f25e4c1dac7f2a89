#include "contention/contention_predictor.h"

#include <fmt/format.h>

#include <algorithm>

namespace mete {
namespace {

constexpr std::array<std::string_view, kTimeKinds> kKindNames{"service",
                                                              "sojourn"};
constexpr std::array<std::string_view, kTimeStatistics> kStatisticNames{
    "mean", "p50", "p75", "p95", "p99"};

constexpr std::array<TimeLabel, kTimeKinds * kTimeStatistics> MakeLabels() {
  std::array<TimeLabel, kTimeKinds * kTimeStatistics> labels{};
  for (size_t kind = 0; kind < kTimeKinds; ++kind) {
    for (size_t statistic = 0; statistic < kTimeStatistics; ++statistic) {
      labels[kind * kTimeStatistics + statistic] = {
          .kind = static_cast<TimeKind>(kind),
          .statistic = static_cast<TimeStatistic>(statistic)};
    }
  }
  return labels;
}
constexpr auto kLabels = MakeLabels();

template <size_t kCount>
Result<size_t> FindTimeName(const std::array<std::string_view, kCount>& names,
                            std::string_view name) {
  for (size_t i = 0; i < kCount; ++i) {
    if (names[i] == name) return i;
  }
  return InvalidInput(
      fmt::format("'{}' is not one of {}", name, fmt::join(names, ", ")));
}

}  // namespace

std::string_view ToString(TimeKind kind) {
  return kKindNames[static_cast<size_t>(kind)];
}

std::string_view ToString(TimeStatistic statistic) {
  return kStatisticNames[static_cast<size_t>(statistic)];
}

Result<TimeKind> ParseTimeKind(std::string_view name) {
  ASSIGN_OR_RETURN(size_t found, FindTimeName(kKindNames, name));
  return static_cast<TimeKind>(found);
}

Result<TimeStatistic> ParseTimeStatistic(std::string_view name) {
  ASSIGN_OR_RETURN(size_t found, FindTimeName(kStatisticNames, name));
  return static_cast<TimeStatistic>(found);
}

std::string ToString(const TimeLabel& label) {
  return fmt::format("{} {}", ToString(label.kind), ToString(label.statistic));
}

std::span<const TimeLabel> AllTimeLabels() { return kLabels; }

void SortQuantiles(TenantTimes& tenant) {
  for (TimeKind kind : {TimeKind::kService, TimeKind::kSojourn}) {
    std::vector<size_t> known;
    std::vector<PredictedTime> sorted;
    for (TimeStatistic statistic : {TimeStatistic::kP50, TimeStatistic::kP75,
                                    TimeStatistic::kP95, TimeStatistic::kP99}) {
      const size_t i = IndexOf({.kind = kind, .statistic = statistic});
      if (!tenant.times[i]) continue;
      known.push_back(i);
      sorted.push_back(*tenant.times[i]);
    }
    std::ranges::sort(sorted, {}, &PredictedTime::time);
    for (size_t j = 0; j < known.size(); ++j)
      tenant.times[known[j]] = sorted[j];
  }
}

size_t IndexOf(const TimeLabel& label) {
  return static_cast<size_t>(label.kind) * kTimeStatistics +
         static_cast<size_t>(label.statistic);
}

}  // namespace mete
