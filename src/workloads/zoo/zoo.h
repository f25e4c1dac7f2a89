// The zoo: named networks that can be generated on any machine, with seeded
// random weights instead of trained ones. Latency does not depend on the values
// of finite weights.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "domain/network_draft.h"
#include "support/result.h"

namespace mete {

// A network of the zoo as listed to users.
struct ZooEntry {
  std::string name;     // also the file name, without .onnx
  std::string summary;  // one line
  std::string kind;     // CNN, RNN, MLP or Transformer
  Shape input_shape;
  uint64_t trainable_parameters = 0;
};

// Number of elements of all filled constants, without the running statistics of
// batch normalization.
uint64_t TrainableParameters(const NetworkDraft& draft);

// All networks; parameters are counted from their drafts.
std::vector<ZooEntry> ZooEntries();

// Only the names, in the same order.
std::vector<std::string> ZooNames();

// Fails with kNotFound and the nearest spelling, or says how to list them.
Status CheckZooName(std::string_view name);

// Fails as CheckZooName does.
Result<NetworkDraft> MakeDraft(std::string_view name, uint64_t seed);

}  // namespace mete
