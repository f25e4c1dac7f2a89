// Chooses metrics by name and labels.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "net/metric_reader.h"

namespace re2 {
class RE2;
}

namespace mete {

// `name{label="v",other!="v",third=~"re",fourth!~"re"}`: equality, or a regular
// expression of RE2, as in Prometheus, that matches the whole value. A missing
// label is "".
class MetricSelector {
 public:
  // Fails with kInvalidInput and the reason.
  static Result<MetricSelector> Parse(std::string_view text);

  bool Chooses(const ReadMetric& metric) const;

 private:
  // One condition on a label.
  struct Matcher {
    std::string label;
    std::string text;
    std::shared_ptr<const re2::RE2> pattern;  // absent: compares the text
    bool negated = false;
  };
  static Result<Matcher> ParseMatcher(std::string_view& rest);

  std::vector<Matcher> matchers_;
};

}  // namespace mete
