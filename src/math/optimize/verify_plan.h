// Checks plans against their problem, without any code of the solvers.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "optimize/packing_problem.h"

namespace mete {

// What a violation is about.
enum class ViolationKind {
  kUnknownBin,     // no such type, number or item, or a bin listed twice
  kPartlyPlaced,   // some copies of an item are placed, others are not
  kExcluded,       // the item is excluded from the bin's type
  kCapacity,       // a resource is exceeded
  kPressure,       // a row of an item in the bin is violated
  kTooManyCopies,  // most_per_bin is exceeded
  kSplit,          // copies of an item that must not be split are
  kGroup,          // two items of the same group are in a bin
  kOracle,         // the oracle does not allow the contents
};

// One broken rule.
struct Violation {
  ViolationKind kind = ViolationKind::kUnknownBin;
  size_t bin = 0;  // in plan.bins; 0 if it is about no bin
  std::optional<size_t> item;
  std::string text;  // one line
};

// Empty if the plan keeps all rules. The problem has passed CheckProblem.
std::vector<Violation> VerifyPlan(const PackingProblem& problem,
                                  const PackingPlan& plan);

}  // namespace mete
