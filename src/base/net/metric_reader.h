// Metrics read as Prometheus would: a page of the text format, and selectors
// that choose among its series.
#pragma once

#include <map>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace mete {

// One line of a page. The value may be NaN or infinite.
struct ReadMetric {
  std::map<std::string, std::string, std::less<>> labels;  // with __name__
  double value = 0;
  std::optional<int64_t> milliseconds;  // its own time stamp, since 1970
};

// What a page says. Lines that make no sense are left out and counted: one bad
// exporter must not hide the rest.
struct MetricPage {
  std::vector<ReadMetric> metrics;
  size_t malformed = 0;
  std::string complaint;  // of the first: "line 3: no value"
};
// Text format 0.0.4, and OpenMetrics as far as it looks the same.
MetricPage ReadMetricPage(std::string_view text);

// `name{label="v",other!="v",third=~"re",fourth!~"re"}`: by equal text or by
// a regular expression that fits the whole value. A missing label is "".
class MetricSelector {
 public:
  // Fails with kInvalidInput and what is wrong with it.
  static Result<MetricSelector> Parse(std::string_view text);

  bool Chooses(const ReadMetric& metric) const;

 private:
  struct Matcher {
    std::string label;
    std::string text;
    std::optional<std::regex> pattern;
    bool negated = false;
  };
  static Result<Matcher> ParseMatcher(std::string_view& rest);

  std::vector<Matcher> matchers_;
};

}  // namespace mete
