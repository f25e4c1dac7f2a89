#include "reference_networks/windows.h"

#include <numeric>

#include "reference_networks/choice.h"
#include "support/random.h"

namespace mete {
namespace {

constexpr Named<SplitRule> kSplitRules[] = {
    {"O_A", SplitRule::kOrdered},
    {"O_A-legacy", SplitRule::kOrderedLegacy},
    {"R_A", SplitRule::kRandom},
    {"R_NA", SplitRule::kRandomPlain}};

std::vector<size_t> Between(size_t first, size_t end) {
  std::vector<size_t> numbers(end - first);
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

}  // namespace

void LabelledWindows::Add(std::span<const float> window, int64_t label) {
  samples.insert(samples.end(), window.begin(), window.end());
  labels.push_back(label);
}

Result<SplitRule> ParseSplitRule(std::string_view name) {
  return Choose(kSplitRules, "split", name);
}

bool Augments(SplitRule rule) { return rule != SplitRule::kRandomPlain; }

ClassSplit SplitClass(size_t windows, int64_t label, SplitRule rule,
                      uint64_t seed) {
  const size_t first = windows * 8 / 10;
  if (rule == SplitRule::kOrdered) {
    return {Between(0, first), Between(first, windows)};
  }
  if (rule == SplitRule::kOrderedLegacy) {
    // The Edge Benchmarking Framework slices by labels, which include the end.
    return {Between(0, std::min(first + 1, windows)), Between(first, windows)};
  }
  std::vector<size_t> order = Between(0, windows);
  Random random(DeriveSeed(seed, "split " + std::to_string(label)));
  Shuffle(order, random);
  auto middle = order.begin() + static_cast<std::ptrdiff_t>(first);
  return {{order.begin(), middle}, {middle, order.end()}};
}

void CutInto(SplitWindows& windows, const CutRequest& request) {
  const size_t count = request.signal.size() / kWindow;
  ClassSplit split =
      SplitClass(count, request.label, request.rule, request.seed);
  auto add = [&](LabelledWindows& side, const std::vector<size_t>& chosen) {
    side.samples.reserve(side.samples.size() + chosen.size() * kWindow);
    for (size_t window : chosen) {
      side.Add(request.signal.subspan(window * kWindow, kWindow),
               request.label);
    }
  };
  if (request.keep_training) add(windows.training, split.training);
  add(windows.validation, split.validation);
}

}  // namespace mete
