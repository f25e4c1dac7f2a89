#include "compare/comparison.h"

namespace mete {

std::string_view ToString(ComparisonBasis basis) {
  switch (basis) {
    case ComparisonBasis::kPairs:
      return "pairs";
    case ComparisonBasis::kRuns:
      return "runs";
    case ComparisonBasis::kInferences:
      return "inferences";
  }
  return "";
}

std::string_view ToString(SpeedVerdict verdict) {
  switch (verdict) {
    case SpeedVerdict::kFaster:
      return "faster";
    case SpeedVerdict::kSlower:
      return "slower";
    case SpeedVerdict::kCannotTell:
      return "cannot_tell";
  }
  return "";
}

SpeedVerdict JudgeSpeed(const RatioEstimate& ratio) {
  if (!ratio.interval) return SpeedVerdict::kCannotTell;
  if (ratio.interval->high < 1) return SpeedVerdict::kFaster;
  if (ratio.interval->low > 1) return SpeedVerdict::kSlower;
  return SpeedVerdict::kCannotTell;
}

std::string_view ToString(GateVerdict verdict) {
  switch (verdict) {
    case GateVerdict::kPassed:
      return "passed";
    case GateVerdict::kFailed:
      return "failed";
    case GateVerdict::kUndecided:
      return "undecided";
  }
  return "";
}

GateVerdict JudgeGate(const RatioEstimate& ratio, double allowed) {
  if (!ratio.interval) return GateVerdict::kUndecided;
  if (ratio.interval->low > 1 + allowed) return GateVerdict::kFailed;
  if (ratio.interval->high <= 1 + allowed) return GateVerdict::kPassed;
  return GateVerdict::kUndecided;
}

}  // namespace mete
