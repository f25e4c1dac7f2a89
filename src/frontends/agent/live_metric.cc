#include "agent/live_metric.h"

#include <algorithm>

namespace mete {
namespace {

int64_t ToSecond(std::chrono::nanoseconds at) {
  return std::chrono::floor<std::chrono::seconds>(at).count();
}

}  // namespace

LiveMetric::LiveMetric(AppMetricKind kind, DurationBounds bounds)
    : kind_(kind), bounds_(std::move(bounds)) {
  if (kind == AppMetricKind::kTimer) buckets_.resize(bounds_->size() + 1);
}

void LiveMetric::CountSecond(std::chrono::nanoseconds at, double count) {
  const int64_t number = ToSecond(at);
  if (!first_second_) first_second_ = number;
  Second& second = seconds_[static_cast<size_t>(number) % seconds_.size()];
  // An event older than the ring counts only towards the total.
  if (second.number > number) return;
  if (second.number < number) second = {.number = number};
  second.count += count;
}

void LiveMetric::Take(const AppEvent& event) {
  const double count = kind_ == AppMetricKind::kRate ? event.value : 1;
  events_ += count;
  last_ = std::max(last_, event.at);
  CountSecond(event.at, count);
  if (kind_ == AppMetricKind::kRate) return;
  sum_ += event.value;
  last_value_ = event.value;
  if (kind_ == AppMetricKind::kNumber) return;
  auto bound = std::ranges::lower_bound(*bounds_, event.value);
  ++buckets_[static_cast<size_t>(bound - bounds_->begin())];
  recent_.push_back({.at = event.at, .value = event.value});
  if (recent_.size() > kMostRecent) recent_.pop_front();
}

std::optional<double> LiveMetric::Rate(std::chrono::nanoseconds now,
                                       std::chrono::seconds window) const {
  if (!first_second_) return std::nullopt;
  const int64_t end = ToSecond(now);
  const int64_t begin = std::max(
      *first_second_ + 1, end - std::min(window.count(), kLongestWindow));
  if (begin >= end) return std::nullopt;
  double count = 0;
  for (const Second& second : seconds_) {
    if (second.number >= begin && second.number < end) count += second.count;
  }
  return count / static_cast<double>(end - begin);
}

std::vector<double> LiveMetric::Recent(std::chrono::nanoseconds now,
                                       std::chrono::seconds window) const {
  std::vector<double> values;
  for (const Value& one : recent_) {
    if (one.at > now - window) values.push_back(one.value);
  }
  std::ranges::sort(values);
  return values;
}

}  // namespace mete
