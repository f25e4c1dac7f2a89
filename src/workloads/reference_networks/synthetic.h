// Synthetic vibration of a rotating bearing, so that everything works without a
// download.
#pragma once

#include <cstdint>
#include <vector>

namespace mete {

constexpr int64_t kSyntheticClasses = 10;
constexpr size_t kSyntheticWindows = 120;  // per class

// The signal of a class, sampled at 12 kHz and 1797 rpm: 0 is healthy; 1 to 9
// are faults of inner ring, ball and outer ring, small, medium and large. A
// fault produces impacts at its own frequency that excite the housing's
// resonance; the smaller the fault, the more it disappears in noise.
std::vector<float> SyntheticSignal(int64_t label, uint64_t seed);

}  // namespace mete
