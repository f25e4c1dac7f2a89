// Converts a trained reference network to an ONNX graph, so that the same
// weights run on other engines.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "domain/network_draft.h"
#include "reference_networks/architecture.h"

namespace mete {

// Weights by path: "classifier.0.weight" belongs to the first layer of the
// classifier, "classifier.4.body.1.running_mean" to the second layer of a
// block's body.
using Weights = std::map<std::string, std::vector<float>>;

// A draft of the graph. It borrows from the weights it was made of and from
// `arranged`.
struct TrainedNetwork {
  NetworkDraft draft;
  std::deque<std::vector<float>> arranged;
};

// Input {batch, 1, 1024}, output one score per class: encoder and classifier as
// in inference. CHECKs that every weight exists; `weights` must outlive the
// result.
TrainedNetwork MakeTrainedNetwork(const Architecture& architecture,
                                  const Weights& weights);

// One of `size` windows over `length` values in adaptive pooling. Neighbours
// may overlap by one value.
struct PoolWindow {
  int64_t start = 0;
  int64_t end = 0;
};
std::vector<PoolWindow> AdaptiveWindows(int64_t length, int64_t size);

}  // namespace mete
