#include "watch/incremental_history.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace mete {
namespace {

using std::chrono::milliseconds;

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

milliseconds WholeStep(const HistoryQuery& query) {
  return std::max(milliseconds(1),
                  std::chrono::round<milliseconds>(query.step));
}

size_t PointsOf(const HistoryQuery& query) {
  if (query.to < query.from) return 0;
  return static_cast<size_t>((query.to - query.from) / WholeStep(query)) + 1;
}

// The place of a time on a grid; at least `points` if it is not on it.
size_t PlaceOf(WallTime time, WallTime from, milliseconds step, size_t points) {
  const auto away = std::chrono::round<milliseconds>(time - from);
  const int64_t place = std::llround(static_cast<double>(away.count()) /
                                     static_cast<double>(step.count()));
  return place < 0 ? points : static_cast<size_t>(place);
}

// Moves the beginning of a window forward by `by` points.
void Shift(std::vector<double>& values, size_t by) {
  const size_t points = values.size();
  const auto gone = static_cast<std::ptrdiff_t>(std::min(by, points));
  values.erase(values.begin(), values.begin() + gone);
  values.resize(points, kNothing);
}

}  // namespace

std::string IncrementalHistory::KeyFor(const HistoryQuery& query) {
  return fmt::format("{} {} {}", WholeStep(query).count(), PointsOf(query),
                     query.promql);
}

// Null if the window begins earlier, later than the old one ends, or between
// its points: after a jump of the clock.
IncrementalHistory::Memory* IncrementalHistory::Find(
    const std::string& key, const HistoryQuery& query) {
  auto found = memories_.find(key);
  if (found == memories_.end()) return nullptr;
  Memory& memory = found->second;
  const auto moved = query.from - memory.from;
  const bool overlaps =
      moved >= moved.zero() && query.from < memory.At(memory.points);
  return overlaps && moved % memory.step == moved.zero() ? &memory : nullptr;
}

WallTime IncrementalHistory::OverlapOf(const Memory& memory) const {
  const auto again = static_cast<int64_t>(
      std::ceil(rules_.overlap / Seconds(memory.step) - 1e-9));
  return std::max(memory.from, memory.At(memory.points) - memory.step * again);
}

HistoryQuery IncrementalHistory::MissingPart(const HistoryQuery& query,
                                             const Memory* memory,
                                             bool refresh) const {
  HistoryQuery part = query;
  if (memory != nullptr && !refresh) {
    part.from = std::max(part.from, OverlapOf(*memory));
  }
  return part;
}

void IncrementalHistory::Update(const std::string& key,
                                const HistoryQuery& query, HistorySet answer) {
  Memory* known = Find(key, query);
  if (known == nullptr) {
    known = &(memories_[key] = {.from = query.from,
                                .step = WholeStep(query),
                                .points = PointsOf(query)});
  }
  Memory& memory = *known;
  // Before the window moves.
  const WallTime uncertain = OverlapOf(memory);
  const auto by = static_cast<size_t>((query.from - memory.from) / memory.step);
  memory.from = query.from;
  const size_t first =
      uncertain < memory.from
          ? 0
          : PlaceOf(uncertain, memory.from, memory.step, memory.points);
  for (auto& [labels, values] : memory.series) {
    Shift(values, by);
    for (size_t i = first; i < values.size(); ++i) values[i] = kNothing;
  }
  for (HistorySeries& series : answer) {
    auto [place, fresh] = memory.series.try_emplace(std::move(series.labels));
    std::vector<double>& values = place->second;
    if (fresh) values.assign(memory.points, kNothing);
    for (size_t i = 0; i < series.times.size(); ++i) {
      const size_t at =
          PlaceOf(series.times[i], memory.from, memory.step, memory.points);
      if (at < values.size()) values[at] = series.values[i];
    }
  }
}

// Series without a value left are forgotten.
HistorySet IncrementalHistory::Copy(Memory& memory) {
  HistorySet set;
  set.reserve(memory.series.size());
  for (auto entry = memory.series.begin(); entry != memory.series.end();) {
    HistorySeries series;
    series.times.reserve(memory.points);
    series.values.reserve(memory.points);
    for (size_t i = 0; i < entry->second.size(); ++i) {
      const double value = entry->second[i];
      if (std::isnan(value)) continue;
      series.times.push_back(memory.At(i));
      series.values.push_back(value);
    }
    if (series.times.empty()) {
      entry = memory.series.erase(entry);
      continue;
    }
    series.labels = entry->first;
    set.push_back(std::move(series));
    ++entry;
  }
  return set;
}

std::vector<Result<HistorySet>> IncrementalHistory::Ask(
    const std::vector<HistoryQuery>& queries, std::stop_token stop) {
  std::vector<std::string> keys;
  std::vector<HistoryQuery> parts;
  std::vector<bool> refreshes;
  for (const HistoryQuery& query : queries) {
    keys.push_back(KeyFor(query));
    const Memory* memory = Find(keys.back(), query);
    refreshes.push_back(memory == nullptr || query.to >= memory->refresh_at);
    parts.push_back(MissingPart(query, memory, refreshes.back()));
  }
  auto answers = source_.Ask(parts, stop);
  const std::set<std::string> asked(keys.begin(), keys.end());
  std::erase_if(memories_, [&asked](const auto& entry) {
    return !asked.contains(entry.first);
  });
  for (size_t i = 0; i < answers.size(); ++i) {
    if (!answers[i].ok()) {
      if (answers[i].error().code() == ErrorCode::kInvalidInput) {
        memories_.erase(keys[i]);
      }
      continue;
    }
    Update(keys[i], queries[i], *std::move(answers[i]));
    Memory& memory = memories_[keys[i]];
    if (refreshes[i]) {
      const auto part =
          static_cast<double>(std::hash<std::string>()(keys[i]) % 1000) / 2000;
      memory.refresh_at = queries[i].to + std::chrono::round<milliseconds>(
                                              rules_.refresh * (0.5 + part));
    }
    answers[i] = Copy(memory);
  }
  return answers;
}

}  // namespace mete
