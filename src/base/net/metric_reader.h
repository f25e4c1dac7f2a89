// Reads metrics as Prometheus does: a page of the text format, and selectors
// for its series.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace mete {

// One sample of a page. The value may be NaN or infinite.
struct ReadMetric {
  std::map<std::string, std::string, std::less<>> labels;  // includes __name__
  double value = 0;
  std::optional<int64_t> milliseconds;  // time stamp since 1970, if given
};

// The contents of a page. Malformed lines are skipped and counted, so that one
// bad line does not hide the rest.
struct MetricPage {
  std::vector<ReadMetric> metrics;
  size_t malformed = 0;
  std::string complaint;  // first error: "line 3: no value"
};
// Parses text format 0.0.4, and OpenMetrics where it is the same.
MetricPage ReadMetricPage(std::string_view text);

}  // namespace mete
