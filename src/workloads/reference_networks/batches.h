// Combines windows into batches for a network.
#pragma once

#include <span>
#include <vector>

#include "reference_networks/transform.h"
#include "reference_networks/windows.h"
#include "support/random.h"

namespace mete {

using Batch = std::vector<size_t>;  // indices of windows

// All windows once, in batches of `size`. The last batch may be smaller, but a
// single window is added to the batch before it, because batch normalization
// needs a variance. In order, or shuffled if `random` is given.
std::vector<Batch> MakeBatches(size_t windows, size_t size, Random* random);

// The samples of a batch, window after window, in the layout that the network
// expects.
struct PreparedBatch {
  std::vector<float> samples;
  std::vector<int64_t> labels;
};
// Normalizes, and augments if `random` is given. Reuses the memory of
// `prepared`.
void Prepare(const LabelledWindows& windows, std::span<const size_t> batch,
             Normalisation normalisation, Random* random,
             PreparedBatch& prepared);

}  // namespace mete
