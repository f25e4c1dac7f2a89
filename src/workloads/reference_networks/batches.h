// Windows put together for one step of a network.
#pragma once

#include <span>
#include <vector>

#include "reference_networks/transform.h"
#include "reference_networks/windows.h"
#include "support/random.h"

namespace mete {

using Batch = std::vector<size_t>;  // places of windows

// All windows once, in batches of `size`. The last may be smaller, but a single
// window joins the batch before it: its normalisation would have no variance.
// In order, or shuffled where `random` is given.
std::vector<Batch> BatchesOf(size_t windows, size_t size, Random* random);

// The samples of a batch, one window after another, as the network gets them.
struct PreparedBatch {
  std::vector<float> samples;
  std::vector<int64_t> labels;
};
// Normalises, then augments where `random` is given. Reuses `prepared`.
void Prepare(const LabelledWindows& windows, std::span<const size_t> batch,
             Normalisation normalisation, Random* random,
             PreparedBatch& prepared);

}  // namespace mete
