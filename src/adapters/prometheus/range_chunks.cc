#include "adapters/prometheus/range_chunks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace mete {
namespace {

// The step in milliseconds, the resolution of Prometheus.
std::chrono::milliseconds WholeStep(Seconds step) {
  return std::max(std::chrono::milliseconds(1),
                  std::chrono::round<std::chrono::milliseconds>(step));
}

void Append(HistorySeries& to, HistorySeries from) {
  to.times.insert(to.times.end(), from.times.begin(), from.times.end());
  to.values.insert(to.values.end(), from.values.begin(), from.values.end());
}

}  // namespace

RangeChunks::RangeChunks(HistoryQuery query, const RangeBounds& bounds)
    : query_(std::move(query)), bounds_(bounds) {
  query_.from = std::chrono::floor<std::chrono::milliseconds>(query_.from);
  if (query_.to < query_.from) return;
  points_ =
      static_cast<size_t>((query_.to - query_.from) / WholeStep(query_.step)) +
      1;
}

size_t RangeChunks::PointsOfNext() const {
  if (!most_series_) return std::min(bounds_.first_points, bounds_.points);
  size_t fitting = bounds_.samples / std::max<size_t>(*most_series_, 1);
  return std::clamp<size_t>(fitting, 1, bounds_.points);
}

std::optional<HistoryQuery> RangeChunks::Next() {
  if (asked_ >= points_) return std::nullopt;
  const auto step = WholeStep(query_.step);
  size_t count = std::min(PointsOfNext(), points_ - asked_);
  HistoryQuery chunk = query_;
  chunk.step = step;
  chunk.from = query_.from + step * asked_;
  chunk.to = query_.from + step * (asked_ + count - 1);
  asked_ += count;
  return chunk;
}

Status RangeChunks::Add(HistorySet chunk) {
  most_series_ = std::max(most_series_.value_or(0), chunk.size());
  if (chunk.size() > bounds_.series) return TooManySeries();
  if (joined_.empty()) {
    joined_ = std::move(chunk);
    return {};
  }
  std::map<decltype(HistorySeries::labels), size_t> places;
  for (size_t i = 0; i < joined_.size(); ++i) places[joined_[i].labels] = i;
  for (HistorySeries& series : chunk) {
    auto found = places.find(series.labels);
    if (found == places.end()) {
      joined_.push_back(std::move(series));
    } else {
      Append(joined_[found->second], std::move(series));
    }
  }
  if (joined_.size() > bounds_.series) return TooManySeries();
  return {};
}

Error RangeChunks::TooManySeries() const {
  return Corrupt(fmt::format("more than {} series", bounds_.series));
}

}  // namespace mete
