// Windows of a signal with what they show: the examples networks learn from.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reference_networks/architecture.h"

namespace mete {

// Windows of kWindow samples each, one after another, and their labels.
struct LabelledWindows {
  std::vector<float> samples;
  std::vector<int64_t> labels;

  size_t size() const { return labels.size(); }
  std::span<const float> at(size_t window) const {
    return std::span(samples).subspan(window * kWindow, kWindow);
  }
  void Add(std::span<const float> window, int64_t label);
};

// What is learnt from and what it is tried on.
struct SplitWindows {
  LabelledWindows training;
  LabelledWindows validation;
  size_t recordings = 0;  // files they came from
};

enum class SplitRule {
  kOrdered,        // O_A: the first 80 % of each class train; augmented
  kOrderedLegacy,  // O_A-legacy: one window of each class is on both sides
  kRandom,         // R_A: 80 % of each class, drawn; augmented
  kRandomPlain,    // R_NA: the same, not augmented
};
Result<SplitRule> ParseSplitRule(std::string_view name);
// Whether training windows are varied.
bool Augments(SplitRule rule);

// Which windows of one class are on which side, in the order to be used.
struct ClassSplit {
  std::vector<size_t> training;
  std::vector<size_t> validation;
};
// The same seed and label: the same split.
ClassSplit SplitClass(size_t windows, int64_t label, SplitRule rule,
                      uint64_t seed);

// Cuts the signal of one class into windows that do not overlap, drops the
// tail, and gives each to its side. Training windows are left out unless
// `keep_training`: inference shall not pay for them.
struct CutRequest {
  std::span<const float> signal;
  int64_t label = 0;
  SplitRule rule = SplitRule::kOrdered;
  uint64_t seed = 0;
  bool keep_training = true;
};
void CutInto(SplitWindows& windows, const CutRequest& request);

}  // namespace mete
