// Series with a known period, and series without one, for the benchmark of
// period detection.
#pragma once

#include <cstddef>
#include <vector>

#include "support/random.h"

namespace mete::bench {

enum class Wave { kSine, kSquare, kSaw, kPulse };

// Height 2 (half of the peak-to-peak is 1), a random phase, and normal noise.
struct WaveRequest {
  Wave wave = Wave::kSine;
  size_t length = 0;
  double period = 0;
  double duty = 0.1;  // of a pulse
  double noise = 0;   // standard deviation
};
std::vector<double> MakeWave(const WaveRequest& request, Random& random);

std::vector<double> MakeAutoregressive(size_t length, double phi,
                                       Random& random);
std::vector<double> MakeRandomWalk(size_t length, Random& random);
// A few random changes of level, with noise.
std::vector<double> MakeSteps(size_t length, Random& random);
// Bursts of random time, length and height, with noise.
std::vector<double> MakeBursts(size_t length, Random& random);

}  // namespace mete::bench
