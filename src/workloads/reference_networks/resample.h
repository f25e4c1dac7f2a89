// Resamples a signal through its spectrum, as the stretching of the Edge
// Benchmarking Framework does.
#pragma once

#include <span>
#include <vector>

namespace mete {

// Band-limited: the spectrum is truncated or padded with zeros, and the part at
// the new Nyquist frequency is split so that the result is real. Both lengths
// must be at least 2.
std::vector<float> Resampled(std::span<const float> signal, size_t length);

}  // namespace mete
