#include "trial/halving.h"

#include <algorithm>

#include "support/check.h"

namespace mete {
namespace {

bool IsBetter(double a, double b, TrialDirection direction) {
  return direction == TrialDirection::kLargest ? a > b : a < b;
}

}  // namespace

bool IsSurelyWorse(const MeanEstimate& value, const MeanEstimate& best,
                   TrialDirection direction) {
  if (!value.interval || !best.interval) return false;
  return direction == TrialDirection::kLargest
             ? value.interval->high < best.interval->low
             : value.interval->low > best.interval->high;
}

std::vector<size_t> RankVariants(const TrialValues& values,
                                 const std::vector<size_t>& among,
                                 TrialDirection direction) {
  std::vector<size_t> ranked;
  for (size_t variant : among) {
    if (values[variant]) ranked.push_back(variant);
  }
  std::ranges::stable_sort(ranked, [&](size_t a, size_t b) {
    return IsBetter(values[a]->mean, values[b]->mean, direction);
  });
  return ranked;
}

std::vector<size_t> NextRound(const TrialValues& values,
                              const std::vector<size_t>& among,
                              TrialDirection direction) {
  std::vector<size_t> ranked = RankVariants(values, among, direction);
  if (ranked.empty()) return ranked;
  size_t half = (ranked.size() + 1) / 2;
  ranked.resize(std::min(ranked.size(), std::max<size_t>(half, 2)));
  const MeanEstimate best = *values[ranked.front()];
  std::erase_if(ranked, [&](size_t variant) {
    return IsSurelyWorse(*values[variant], best, direction);
  });
  return ranked;
}

size_t CountRounds(size_t variants) {
  size_t rounds = 1;
  for (; variants > 1; variants = (variants + 1) / 2) ++rounds;
  return rounds;
}

Seconds LengthOfRun(Seconds remaining, size_t rounds, size_t variants) {
  CHECK(rounds > 0 && variants > 0);
  return std::max(remaining, Seconds(0)) /
         static_cast<double>(rounds * variants);
}

}  // namespace mete
