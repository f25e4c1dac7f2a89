#include "wiring/pressure_costs.h"

#include <algorithm>

namespace mete {
namespace {

TimeStatistic ToTimeStatistic(SloStatistic statistic) {
  switch (statistic) {
    case SloStatistic::kMean:
      return TimeStatistic::kMean;
    case SloStatistic::kP75:
      return TimeStatistic::kP75;
    case SloStatistic::kP95:
      return TimeStatistic::kP95;
    case SloStatistic::kP99:
      return TimeStatistic::kP99;
  }
  return TimeStatistic::kMean;
}

TimeLabel ToTimeLabel(const LatencyQuestion& question) {
  return {.kind = question.time == SloTime::kSojourn ? TimeKind::kSojourn
                                                     : TimeKind::kService,
          .statistic = ToTimeStatistic(question.statistic)};
}

}  // namespace

std::string PressureCosts::Describe() const {
  return "predictor of contention " + name_;
}

size_t PressureCosts::pressures() const {
  return predictor_.parts().network.pressures;
}

std::vector<double> PressureCosts::Used(const PressureVector& pressure) const {
  return {pressure.parts.begin(),
          pressure.parts.begin() + static_cast<std::ptrdiff_t>(pressures())};
}

Result<std::vector<double>> PressureCosts::PressureOf(
    const std::string& application, double rate) const {
  ASSIGN_OR_RETURN(PressureVector pressure,
                   predictor_.PressureOf(application, rate));
  return Used(pressure);
}

Result<std::vector<PressureLimit>> PressureCosts::LimitsFor(
    const LatencyQuestion& question, Seconds limit) const {
  ASSIGN_OR_RETURN(PressureRegion region,
                   predictor_.RegionOf({.application = question.application,
                                        .rate = question.rate,
                                        .label = ToTimeLabel(question),
                                        .limit = limit},
                                       Margin::kUpperEnd));
  std::vector<PressureLimit> limits;
  for (const RegionRow& row : region.rows) {
    limits.push_back({.weights = Used(row.weights), .bound = row.bound});
  }
  return limits;
}

Result<LatencyAnswer> PressureCosts::LatencyUnder(
    const LatencyQuestion& question, std::span<const double> pressure) const {
  PressureVector sum;
  std::copy_n(pressure.begin(),
              std::min(pressure.size(), size_t{kMostPressures}),
              sum.parts.begin());
  ASSIGN_OR_RETURN(
      TenantTimes times,
      predictor_.TimesUnder(question.application, question.rate, sum));
  const auto& time = times.Get(ToTimeLabel(question));
  if (!time) return Unsupported(name_ + " does not predict this time");
  return LatencyAnswer{.time = times.saturated ? time->Least() : time->time,
                       .high = time->high,
                       .saturated = times.saturated};
}

}  // namespace mete
