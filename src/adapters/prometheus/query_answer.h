// Parses Prometheus' response to an instant query.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace mete {

// One series with its value at the time of the query.
struct MetricSample {
  std::map<std::string, std::string, std::less<>> labels;  // includes __name__
  double value = 0;

  // "" without such a label.
  std::string_view Label(std::string_view name) const;
  std::string_view name() const { return Label("__name__"); }
};

// Omits samples whose value is not finite, because nothing was measured. Fails
// with kUnavailable and Prometheus' own message when it rejected the query, and
// with kCorrupt when this is not a valid response.
Result<std::vector<MetricSample>> ParseQueryAnswer(std::string_view body);

}  // namespace mete
