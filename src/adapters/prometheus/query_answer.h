// What Prometheus answers to an instant query, read.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace mete {

// One series with its value at the moment of the query.
struct MetricSample {
  std::map<std::string, std::string, std::less<>> labels;  // with __name__
  double value = 0;

  // "" without such a label.
  std::string_view Label(std::string_view name) const;
  std::string_view name() const { return Label("__name__"); }
};

// Samples whose value is no finite number are left out: nothing was measured.
// Fails with kUnavailable and Prometheus' own words when it refused the query,
// and with kCorrupt when this is no answer of its.
Result<std::vector<MetricSample>> ParseQueryAnswer(std::string_view body);

}  // namespace mete
