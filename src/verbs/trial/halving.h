// Successive halving: which variants of a trial go on to the next, longer
// round.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "stats/mean_interval.h"
#include "support/units.h"

namespace mete {

// Whether large or small values win.
enum class TrialDirection { kLargest, kSmallest };

// True when the whole interval of `value` is worse than that of `best`. False
// when either has no interval.
bool IsSurelyWorse(const MeanEstimate& value, const MeanEstimate& best,
                   TrialDirection direction);

// The values of all variants so far; absent for those that failed.
using TrialValues = std::vector<std::optional<MeanEstimate>>;

// The variants (as positions in `values`) that have a value, best first.
std::vector<size_t> RankVariants(const TrialValues& values,
                                 const std::vector<size_t>& among,
                                 TrialDirection direction);

// The variants of the next round, best first: half of them, rounded up, but at
// least two, and none that is surely worse than the best. With one left, the
// trial is decided.
std::vector<size_t> NextRound(const TrialValues& values,
                              const std::vector<size_t>& among,
                              TrialDirection direction);

// Planned rounds: 1 for one variant, 2 for two, 3 for four (of 4, 2 and 2).
size_t CountRounds(size_t variants);

// How long each of the variants may run in the next round, if all remaining
// rounds share the remaining time equally.
Seconds LengthOfRun(Seconds remaining, size_t rounds, size_t variants);

}  // namespace mete
