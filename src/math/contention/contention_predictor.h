// What services see side by side: the interface of all predictors of
// contention.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "domain/mix.h"
#include "support/result.h"
#include "support/units.h"

namespace mete {

// Which time of a request: inside the service, or as its client sees it, from
// the intended time of sending.
enum class TimeKind { kService, kSojourn };
inline constexpr size_t kTimeKinds = 2;

// Which statistic of the times of all requests of a tenant.
enum class TimeStatistic { kMean, kP50, kP75, kP95, kP99 };
inline constexpr size_t kTimeStatistics = 5;

// "service", "sojourn"; "mean", "p50", …
std::string_view ToString(TimeKind kind);
std::string_view ToString(TimeStatistic statistic);
// Fail with kInvalidInput and the list of names.
Result<TimeKind> ParseTimeKind(std::string_view name);
Result<TimeStatistic> ParseTimeStatistic(std::string_view name);

// Which of the predicted times.
struct TimeLabel {
  TimeKind kind = TimeKind::kService;
  TimeStatistic statistic = TimeStatistic::kMean;

  bool operator==(const TimeLabel&) const = default;
};

// "service mean", "sojourn p95".
std::string ToString(const TimeLabel& label);
// All ten, the service times first.
std::span<const TimeLabel> AllTimeLabels();
// Position in AllTimeLabels().
size_t IndexOf(const TimeLabel& label);

// A predicted time. The interval contains kIntervalCoverage of the measured
// times in mixes that were held out of training; it is absent when too few were
// held out, or when the predictor has no intervals.
struct PredictedTime {
  Seconds time{0};
  std::optional<Seconds> low{};
  std::optional<Seconds> high{};
  // The tenant cannot keep up, so the time depends on how long one waits. It is
  // at least `time`, with the confidence of the interval at least `low`, and
  // has no upper end.
  bool at_least = false;

  // What may be printed of a time that has no upper end.
  Seconds Least() const { return low.value_or(time); }
};
inline constexpr double kIntervalCoverage = 0.90;

// What one tenant sees. A time that the predictor does not know is absent.
struct TenantTimes {
  std::array<std::optional<PredictedTime>, kTimeKinds * kTimeStatistics>
      times{};
  // Busier than any tenant that kept up in training. Requests pile up, so no
  // objective is met, not even one on service times.
  bool saturated = false;

  const std::optional<PredictedTime>& Get(const TimeLabel& label) const {
    return times[IndexOf(label)];
  }
};

// Puts the known quantiles of each kind into ascending order, for methods that
// predict each for itself and let them cross. The rearranged quantiles are
// never further from the true ones (Chernozhukov, Fernandez-Val and Galichon,
// Econometrica 78 (2010), proposition 4).
void SortQuantiles(TenantTimes& tenant);

// A function from the tenants of one device to their times. Values do not
// change after training, so every function may be called from any thread.
class ContentionPredictor {
 public:
  virtual ~ContentionPredictor() = default;

  // "pressure", "deepsets", …
  virtual std::string_view method() const = 0;
  // The applications of the training, sorted.
  virtual std::vector<std::string> Applications() const = 0;
  // One answer for each tenant, in the same order; p50 to p99 of a kind never
  // decrease. Fails with kNotFound and the
  // known applications when one is not known, and with kInvalidInput when a
  // tenant has no instance or no positive rate.
  virtual Result<std::vector<TenantTimes>> Predict(
      std::span<const Tenant> tenants) const = 0;
};

}  // namespace mete
