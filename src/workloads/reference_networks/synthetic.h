// Vibration of a bearing that turns, made up: so that everything runs without
// a download.
#pragma once

#include <cstdint>
#include <vector>

namespace mete {

constexpr int64_t kSyntheticClasses = 10;
constexpr size_t kSyntheticWindows = 120;  // of each class

// The signal of a class, sampled at 12 kHz at 1797 turns a minute: 0 is sound;
// 1 to 9 are faults of inner ring, ball and outer ring, small, medium and
// large. A fault strikes at its own frequency, rings at the housing's
// resonance, and drowns in noise the more the smaller it is.
std::vector<float> SyntheticSignal(int64_t label, uint64_t seed);

}  // namespace mete
