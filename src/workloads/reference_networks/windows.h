// Labelled windows of signals: the examples that networks learn from.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reference_networks/architecture.h"

namespace mete {

// Windows of kWindow samples each, stored one after another, and their labels.
struct LabelledWindows {
  std::vector<float> samples;
  std::vector<int64_t> labels;

  size_t size() const { return labels.size(); }
  std::span<const float> at(size_t window) const {
    return std::span(samples).subspan(window * kWindow, kWindow);
  }
  void Add(std::span<const float> window, int64_t label);
};

// Training and validation data.
struct SplitWindows {
  LabelledWindows training;
  LabelledWindows validation;
  size_t recordings = 0;  // number of source files
};

// How windows are split into training and validation.
enum class SplitRule {
  kOrdered,        // O_A: the first 80 % of each class for training; augmented
  kOrderedLegacy,  // O_A-legacy: one window of each class is in both
  kRandom,         // R_A: a random 80 % of each class; augmented
  kRandomPlain,    // R_NA: the same, not augmented
};
Result<SplitRule> ParseSplitRule(std::string_view name);
// True if training windows are augmented.
bool Augments(SplitRule rule);

// The split of the windows of one class, in the order of use.
struct ClassSplit {
  std::vector<size_t> training;
  std::vector<size_t> validation;
};
// Deterministic for the same seed and label.
ClassSplit SplitClass(size_t windows, int64_t label, SplitRule rule,
                      uint64_t seed);

// Cuts the signal of one class into windows that do not overlap, drops the
// tail, and assigns each to training or validation. Without `keep_training`
// training windows are dropped, which saves their memory in inference.
struct CutRequest {
  std::span<const float> signal;
  int64_t label = 0;
  SplitRule rule = SplitRule::kOrdered;
  uint64_t seed = 0;
  bool keep_training = true;
};
void CutInto(SplitWindows& windows, const CutRequest& request);

}  // namespace mete
