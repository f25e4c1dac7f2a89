// A signal brought to another length by its spectrum, as the predecessor's
// stretching does it.
#pragma once

#include <span>
#include <vector>

namespace mete {

// Band-limited: the spectrum is cut or padded with zeros, and what stands at
// the new Nyquist frequency is shared out, so that the result is real. Both
// lengths are at least 2.
std::vector<float> Resampled(std::span<const float> signal, size_t length);

}  // namespace mete
