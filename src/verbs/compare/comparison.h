// The result of comparing how long two workloads take, A and B.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stats/ratio.h"

namespace mete {

// One of the two workloads and the time it takes.
struct ComparedSide {
  std::string what;                  // command line, or name of the workload
  std::vector<std::string> run_ids;  // in the store
  uint64_t values = 0;               // that `seconds` was computed from
  MedianEstimate seconds;
  double min = 0;  // seconds
  double max = 0;
};

// What one value of a comparison is, which decides what the interval covers.
enum class ComparisonBasis {
  kPairs,       // runs of A and B in turn; drift of the machine cancels out
  kRuns,        // independent runs
  kInferences,  // of one network in one process
};
// "pairs", "runs", "inferences".
std::string_view ToString(ComparisonBasis basis);

// Which is faster, and how sure that is.
struct Comparison {
  ComparedSide first;
  ComparedSide second;
  ComparisonBasis basis = ComparisonBasis::kPairs;
  RatioEstimate ratio;  // time of `second` / time of `first`, 95 %
  // What limits the comparison, one sentence each.
  std::vector<std::string> notes;
};

// Whether B is faster than A.
enum class SpeedVerdict {
  kFaster,
  kSlower,
  kCannotTell,  // the interval contains 1, or there is none
};
std::string_view ToString(SpeedVerdict verdict);  // "cannot_tell"
SpeedVerdict JudgeSpeed(const RatioEstimate& ratio);

// Whether B is slower than A by more than was allowed.
enum class GateVerdict {
  kPassed,     // even the upper end of the interval is allowed
  kFailed,     // even the lower end is not
  kUndecided,  // the interval contains the bound, or there is none
};
std::string_view ToString(GateVerdict verdict);
// `allowed` is a share: 0.05 lets B take 5 % longer than A.
GateVerdict JudgeGate(const RatioEstimate& ratio, double allowed);

}  // namespace mete
