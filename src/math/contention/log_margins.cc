#include "contention/log_margins.h"

#include <algorithm>
#include <cmath>

#include "contention/pressure_training.h"

namespace mete {
namespace {

// Twice the errors without which the ends would not exist: single outliers
// would decide.
constexpr size_t kLeastErrors = 40;

std::optional<LogMargin> MarginFrom(std::vector<double> errors) {
  const auto n = static_cast<double>(errors.size());
  const auto rank =
      static_cast<size_t>(std::ceil((n + 1) * (1 + kIntervalCoverage) / 2));
  if (rank > errors.size()) return std::nullopt;
  std::ranges::sort(errors);
  return LogMargin{.low = std::min(0.0, errors[errors.size() - rank]),
                   .high = std::max(0.0, errors[rank - 1])};
}

}  // namespace

void HeldOutErrors::Add(const MixObservation& measured,
                        const TenantTimes& predicted) {
  if (measured.saturated) return;
  auto alone = alone_.find(measured.tenant.application);
  for (const TimeLabel& label : AllTimeLabels()) {
    const size_t i = IndexOf(label);
    std::optional<double> time = MeasuredTime(measured, label);
    if (!time || !predicted.times[i]) continue;
    const double error = std::log(*time / predicted.times[i]->time.count());
    if (!predicted.times[i]->at_least) {  // else it has no interval
      by_application_[measured.tenant.application][i].push_back(error);
      all_[i].push_back(error);
    }
    sum_ += std::abs(error);
    ++count_;
    if (alone == alone_.end() || !alone->second[i] ||
        *time > kSloRegion * *alone->second[i]) {
      continue;
    }
    near_sum_ += std::abs(error);
    ++near_;
  }
}

double HeldOutErrors::MeanAbsolute() const {
  if (near_ > 0) return near_sum_ / static_cast<double>(near_);
  return count_ == 0 ? 0 : sum_ / static_cast<double>(count_);
}

std::vector<LogMargins> HeldOutErrors::Margins(
    const std::vector<std::string>& applications) const {
  std::vector<LogMargins> margins(applications.size());
  for (size_t a = 0; a < applications.size(); ++a) {
    auto own = by_application_.find(applications[a]);
    for (size_t i = 0; i < all_.size(); ++i) {
      const bool enough =
          own != by_application_.end() && own->second[i].size() >= kLeastErrors;
      margins[a][i] = MarginFrom(enough ? own->second[i] : all_[i]);
    }
  }
  return margins;
}

}  // namespace mete
