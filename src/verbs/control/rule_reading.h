// Combines the answers of all sources into one reading per rule.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "control/slo_rules.h"
#include "ports/series_source.h"

namespace mete {

// One source's answers to the selectors of one rule.
struct SourceAnswer {
  std::string source;
  Result<SeriesValues> series;
  std::optional<Result<SeriesValues>> divisor{};
};

// One value of a rule's series, and where it came from.
struct SeriesEvidence {
  std::string source;
  std::map<std::string, std::string, std::less<>> labels;
  double value = 0;
  std::optional<double> divided_by;  // the divisor
  Seconds age{0};
};

// The current values of a rule's series.
struct RuleReading {
  std::vector<SeriesEvidence> series;  // fresh values only, worst first
  bool complete = true;                // every source answered
  std::string remark;                  // why there is no value; otherwise empty

  std::optional<double> worst() const {
    if (series.empty()) return std::nullopt;
    return series.front().value;
  }
};

// Divides each series by the series of the same source with the same labels.
// Metric names are ignored, and so are `quantile` and `le` if the divisor lacks
// them. There is no value without a matching divisor or if the divisor is 0.
RuleReading ReadRule(const SloRule& rule,
                     const std::vector<SourceAnswer>& answers,
                     Seconds stale_after);

// `name{app="detector"}`
std::string SeriesText(const SeriesEvidence& series);

}  // namespace mete
