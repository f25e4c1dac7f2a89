// The zoo: named networks that can be written on any machine, with seeded
// random weights in place of trained ones. Latency does not depend on which
// finite weights a network has.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "domain/network_draft.h"
#include "support/result.h"

namespace mete {

struct ZooEntry {
  std::string name;     // also the file name, without .onnx
  std::string summary;  // one line
  std::string kind;     // CNN, RNN, MLP or Transformer
  Shape input_shape;
  uint64_t trainable_parameters = 0;
};

// Elements of all filled constants, without the running statistics of batch
// normalisation.
uint64_t TrainableParameters(const NetworkDraft& draft);

// All networks, counted from their drafts.
std::vector<ZooEntry> ZooEntries();

// The names alone, in the same order.
std::vector<std::string> ZooNames();

// Fails with kNotFound and the nearest spelling.
Result<NetworkDraft> DraftOf(std::string_view name, uint64_t seed);

}  // namespace mete
