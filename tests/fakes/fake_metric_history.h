// A metric history with the series that a test gives it.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ports/metric_history.h"

namespace mete {

class FakeMetricHistory final : public MetricHistory {
 public:
  // The series of every query that contains `part`: one value per point of the
  // grid, from its index.
  void Set(const std::string& part,
           std::map<std::string, std::string, std::less<>> labels,
           std::function<double(size_t index)> value) {
    entries_.push_back({part, std::move(labels),
                        [value = std::move(value)](size_t index, WallTime) {
                          return std::optional(value(index));
                        }});
  }
  // The same by time; a point without a value is a gap.
  void SetAt(const std::string& part,
             std::map<std::string, std::string, std::less<>> labels,
             std::function<std::optional<double>(WallTime)> value) {
    entries_.push_back({part, std::move(labels),
                        [value = std::move(value)](size_t, WallTime time) {
                          return value(time);
                        }});
  }
  // Queries that contain `part` fail with this error.
  void Reject(const std::string& part, Error error) {
    rejected_.emplace_back(part, std::move(error));
  }
  // All queries fail with this error, or work again.
  void Break(std::optional<Error> error) { broken_ = std::move(error); }
  // Called before every answer.
  void OnAsk(std::function<void()> call) { on_ask_ = std::move(call); }
  void Clear() { entries_.clear(); }
  const std::vector<HistoryQuery>& asked() const { return asked_; }

  std::string name() const override { return "fake metrics"; }
  std::vector<Result<HistorySet>> Ask(const std::vector<HistoryQuery>& queries,
                                      std::stop_token) override {
    if (on_ask_) on_ask_();
    asked_ = queries;
    std::vector<Result<HistorySet>> answers;
    for (const HistoryQuery& query : queries) answers.push_back(Answer(query));
    return answers;
  }

 private:
  struct Entry {
    std::string part;
    std::map<std::string, std::string, std::less<>> labels;
    std::function<std::optional<double>(size_t, WallTime)> value;
  };

  static bool Has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }

  Result<HistorySet> Answer(const HistoryQuery& query) const {
    if (broken_) return *broken_;
    for (const auto& [part, error] : rejected_) {
      if (Has(query.promql, part)) return error;
    }
    HistorySet set;
    const auto step =
        std::chrono::duration_cast<std::chrono::milliseconds>(query.step);
    for (const Entry& entry : entries_) {
      if (!Has(query.promql, entry.part)) continue;
      HistorySeries series{.labels = entry.labels};
      size_t index = 0;
      for (WallTime time = query.from; time <= query.to; time += step) {
        auto value = entry.value(index++, time);
        if (!value) continue;
        series.times.push_back(time);
        series.values.push_back(*value);
      }
      if (series.times.empty()) continue;
      set.push_back(std::move(series));
    }
    return set;
  }

  std::vector<Entry> entries_;
  std::vector<std::pair<std::string, Error>> rejected_;
  std::optional<Error> broken_;
  std::function<void()> on_ask_;
  std::vector<HistoryQuery> asked_;
};

}  // namespace mete
