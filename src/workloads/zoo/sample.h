// Random networks for training predictors: the blocks of the zoo at widths,
// depths, kernels and resolutions of their own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "domain/network_draft.h"

namespace mete {

struct Sample {
  NetworkDraft draft;
  std::string kind;   // of block: plain, inverted, …
  uint64_t macs = 0;  // multiply-accumulates of one inference at batch 1
};

// Kinds take turns by index, so that any run of samples holds all of them
// equally often.
std::vector<std::string> SampleKinds();

// The same for the same seed and index on every machine, whatever other
// samples are drawn. Work is spread log-uniformly between about 1e5 and 3e9
// multiply-accumulates as far as the kind allows; weights stay below 120 MB.
Sample DrawSample(uint64_t seed, size_t index);

// Its draft alone, named like sample-0007-inverted.
NetworkDraft SampleDraft(uint64_t seed, size_t index);

}  // namespace mete
