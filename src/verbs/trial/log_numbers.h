// Finds numbers in the output of an application: "step 12: 271.8 images/sec".
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace re2 {
class RE2;
}

namespace mete {

// A regular expression (RE2 syntax) with one group, which matches a number.
// Matching takes linear time, whatever the application prints.
class LogPattern {
 public:
  // Fails with kInvalidInput when the expression is wrong or does not have
  // exactly one group.
  static Result<LogPattern> Parse(const std::string& expression);

  // The number in each line that matches, in order. A line whose group is not
  // a finite number is skipped.
  std::vector<double> FindNumbers(std::string_view output) const;

 private:
  explicit LogPattern(std::shared_ptr<const re2::RE2> expression)
      : expression_(std::move(expression)) {}

  std::shared_ptr<const re2::RE2> expression_;  // shared: copies are equal
};

}  // namespace mete
