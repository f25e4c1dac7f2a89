#include "contention/comparison.h"

#include <algorithm>
#include <cmath>

#include "contention/pressure_training.h"
#include "stats/quantile.h"

namespace mete {
namespace {

constexpr std::array<TimeStatistic, 3> kCompared = {
    TimeStatistic::kMean, TimeStatistic::kP75, TimeStatistic::kP95};

double LevelOf(TimeStatistic statistic) {
  switch (statistic) {
    case TimeStatistic::kP75:
      return 0.75;
    case TimeStatistic::kP95:
      return 0.95;
    default:
      return 0.5;
  }
}

// Collects pairs of measured and predicted times.
class ErrorCollector {
 public:
  void Add(TimeStatistic statistic, double measured, double predicted) {
    relative_.push_back(std::abs(predicted - measured) / measured);
    const double beyond = std::log(measured / predicted);
    const double level = LevelOf(statistic);
    pinball_ += std::max(level * beyond, (level - 1) * beyond);
  }
  void AddBound() { ++bounds_; }

  std::optional<ContentionErrors> Errors() const {
    if (relative_.empty()) return std::nullopt;
    const auto count = static_cast<double>(relative_.size());
    double sum = 0;
    for (double error : relative_) sum += error;
    return ContentionErrors{.times = relative_.size() + bounds_,
                            .bounds = bounds_,
                            .median = *Quantile(relative_, 0.5),
                            .mean = sum / count,
                            .within_10 = ShareWithin(0.10),
                            .within_25 = ShareWithin(0.25),
                            .pinball = pinball_ / count};
  }

 private:
  double ShareWithin(double bound) const {
    const auto within = std::ranges::count_if(
        relative_, [bound](double error) { return error <= bound; });
    return static_cast<double>(within) /
           static_cast<double>(relative_.size() + bounds_);
  }

  std::vector<double> relative_;
  size_t bounds_ = 0;
  double pinball_ = 0;
};

// The score of one method while it grows.
class ScoreBuilder {
 public:
  ScoreBuilder(const std::map<std::string, TimesAlone>& alone, TimeKind kind)
      : alone_(alone), kind_(kind) {}

  void AddMix(const MeasuredMix& mix, std::span<const TenantTimes> times) {
    bool any = false;
    bool within = true;
    for (size_t i = 0; i < mix.rows.size(); ++i) {
      AddTenant(mix.rows[i], times[i]);
      AddSaturation(mix.rows[i], times[i]);
      const TimeLabel mean{.kind = kind_};
      const auto measured = MeasuredTime(mix.rows[i], mean);
      const auto& predicted = times[i].Get(mean);
      if (!measured || !predicted || mix.rows[i].saturated) continue;
      any = true;
      within = within && !predicted->at_least &&
               std::abs(predicted->time.count() / *measured - 1) <= 0.25;
    }
    if (!any) return;
    ++mixes_;
    if (within) ++mixes_within_;
  }

  ContentionScore Build(std::string_view method) const {
    ContentionScore score{.method = std::string(method),
                          .all = all_.Errors(),
                          .near_objective = near_.Errors(),
                          .saturated = saturated_.Errors()};
    for (const auto& [name, collector] : by_application_) {
      if (auto errors = collector.Errors())
        score.by_application[name] = *errors;
    }
    if (saturation_.recognized + saturation_.false_alarms > 0) {
      score.saturation = saturation_;
    }
    if (mixes_ > 0) {
      score.mixes_within_25 =
          static_cast<double>(mixes_within_) / static_cast<double>(mixes_);
    }
    if (intervals_ > 0) {
      score.coverage =
          static_cast<double>(covered_) / static_cast<double>(intervals_);
    }
    return score;
  }

 private:
  void AddTenant(const MixObservation& row, const TenantTimes& times) {
    auto alone = alone_.find(row.tenant.application);
    for (TimeStatistic statistic : kCompared) {
      const TimeLabel label{.kind = kind_, .statistic = statistic};
      const auto measured = MeasuredTime(row, label);
      const auto& predicted = times.Get(label);
      if (!measured || !predicted) continue;
      auto add = [&](ErrorCollector& to) {
        if (predicted->at_least) return to.AddBound();
        to.Add(statistic, *measured, predicted->time.count());
      };
      if (row.saturated) {
        add(saturated_);
        continue;
      }
      add(all_);
      add(by_application_[row.tenant.application]);
      if (alone != alone_.end() && alone->second[IndexOf(label)] &&
          *measured <= kSloRegion * *alone->second[IndexOf(label)]) {
        add(near_);
      }
      if (!predicted->low || !predicted->high) continue;
      ++intervals_;
      if (*measured >= predicted->low->count() &&
          *measured <= predicted->high->count()) {
        ++covered_;
      }
    }
  }

  void AddSaturation(const MixObservation& row, const TenantTimes& times) {
    if (!row.saturated) {
      ++saturation_.stable;
      saturation_.false_alarms += times.saturated;
      return;
    }
    ++saturation_.saturated;
    saturation_.recognized += times.saturated;
    for (const TimeLabel& label : AllTimeLabels()) {
      const auto& predicted = times.Get(label);
      const auto measured = MeasuredTime(row, label);
      if (!predicted || !predicted->at_least || !measured) continue;
      ++saturation_.bounds;
      saturation_.held += *measured >= predicted->Least().count();
    }
  }

  const std::map<std::string, TimesAlone>& alone_;
  TimeKind kind_;
  SaturationScore saturation_;
  ErrorCollector all_;
  ErrorCollector near_;
  ErrorCollector saturated_;
  std::map<std::string, ErrorCollector> by_application_;
  size_t mixes_ = 0;
  size_t mixes_within_ = 0;
  size_t intervals_ = 0;
  size_t covered_ = 0;
};

}  // namespace

ContentionScore ScoreContention(const ContentionPredictor& predictor,
                                std::span<const MeasuredMix> test,
                                const std::map<std::string, TimesAlone>& alone,
                                TimeKind kind) {
  ScoreBuilder builder(alone, kind);
  for (const MeasuredMix& mix : test) {
    auto times = predictor.Predict(mix.Tenants());
    if (times.ok()) builder.AddMix(mix, *times);
  }
  return builder.Build(predictor.method());
}

std::optional<size_t> FindBest(const ContentionComparison& comparison) {
  const auto& scores =
      comparison.scores[static_cast<size_t>(TimeKind::kService)];
  std::optional<size_t> best;
  for (size_t i = 0; i < scores.size(); ++i) {
    if (!scores[i].all) continue;
    if (!best || scores[i].all->median < scores[*best].all->median) best = i;
  }
  return best;
}

}  // namespace mete
