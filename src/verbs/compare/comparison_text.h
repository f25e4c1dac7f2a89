// Formats a comparison for people and for programs.
#pragma once

#include <optional>
#include <string>

#include "compare/comparison.h"
#include "support/json_fwd.h"

namespace mete {

// A comparison and the slowdown that is allowed, as a share; absent: any.
struct ComparisonAnswer {
  Comparison comparison;
  std::optional<double> allowed_slowdown;
};

// The answer first, then a table of both sides, the gate and the notes.
std::string ComparisonText(const ComparisonAnswer& answer);
// {"a": {…}, "b": {…}, "ratio", "ratio_low", "ratio_high", "verdict", "gate"}.
// Absent values have no key.
Json ComparisonJson(const ComparisonAnswer& answer);
// One row. Absent values are empty cells.
std::string ComparisonCsv(const ComparisonAnswer& answer);

// "passed: …", "failed: …" or "cannot be decided: …".
std::string GateText(const Comparison& comparison, double allowed);

}  // namespace mete
