// What the sources say about a rule, joined and judged.
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

// A value as the rule sees it, and where it came from.
struct SeriesEvidence {
  std::string source;
  std::map<std::string, std::string, std::less<>> labels;
  double value = 0;
  std::optional<double> divided_by;  // what it was divided by
  Seconds age{0};
};

struct RuleReading {
  std::vector<SeriesEvidence> series;  // fresh ones, the worst first
  bool complete = true;                // every source answered
  std::string remark;                  // why there is nothing; else empty

  std::optional<double> worst() const {
    if (series.empty()) return std::nullopt;
    return series.front().value;
  }
};

// Series of one source are divided by those with the same labels, names aside,
// and `quantile` and `le` where the divisor has none. Without a partner, or by
// zero, there is no value.
RuleReading ReadRule(const SloRule& rule,
                     const std::vector<SourceAnswer>& answers,
                     Seconds stale_after);

// `name{app="detector"}`
std::string SeriesText(const SeriesEvidence& series);

}  // namespace mete
