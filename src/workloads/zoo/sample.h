// Random networks for training predictors: the blocks of the zoo with random
// widths, depths, kernels and resolutions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "domain/network_draft.h"

namespace mete {

// A random network.
struct Sample {
  NetworkDraft draft;
  std::string kind;   // of block: plain, inverted, …
  uint64_t macs = 0;  // multiply-accumulates of one inference at batch 1
};

// Kinds alternate by index, so every range of samples contains all of them
// equally often.
std::vector<std::string> SampleKinds();

// Identical for the same seed and index on every machine, independent of other
// samples. Work is distributed log-uniformly between about 1e5 and 3e9
// multiply-accumulates as far as the kind allows; weights stay below 120 MB.
Sample DrawSample(uint64_t seed, size_t index);

// Only its draft, named like sample-0007-inverted.
NetworkDraft SampleDraft(uint64_t seed, size_t index);

}  // namespace mete
