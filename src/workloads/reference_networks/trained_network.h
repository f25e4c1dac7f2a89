// A trained reference network as an ONNX graph, so that the same weights run on
// other engines.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "reference_networks/architecture.h"
#include "domain/network_draft.h"

namespace mete {

// By path: "classifier.0.weight" belongs to the first layer of the classifier,
// "classifier.4.body.1.running_mean" to the second layer of a block's body.
using Weights = std::map<std::string, std::vector<float>>;

// The draft borrows from the weights it was made of and from `arranged`.
struct TrainedNetwork {
  NetworkDraft draft;
  std::deque<std::vector<float>> arranged;
};

// Windows {batch, 1, 1024} in, one score for each class out: encoder and
// classifier, as in inference. CHECKs that every weight is there; `weights`
// must outlive the result.
TrainedNetwork TrainedNetworkOf(const Architecture& architecture,
                                const Weights& weights);

// The place of each of `size` windows over `length` values, as adaptive
// pooling has them: they may overlap by one value.
struct PoolWindow {
  int64_t start = 0;
  int64_t end = 0;
};
std::vector<PoolWindow> AdaptiveWindows(int64_t length, int64_t size);

}  // namespace mete
