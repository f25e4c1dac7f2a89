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
  std::string kind;     // CNN, RNN, MLP, GNN, Trees or Transformer
  Shape input_shape;
  uint64_t trainable_parameters = 0;
};

// Number of elements of all filled constants, without the running statistics of
// batch normalization; of trees, the nodes.
uint64_t TrainableParameters(const NetworkDraft& draft);

// The known architectures, without the applications.
std::vector<std::string> ZooNames();
// The same and the applications (applications.h).
std::vector<std::string> AllZooNames();

// All of them; parameters are counted from their drafts.
std::vector<ZooEntry> ZooEntries();

// Fails with kNotFound and the nearest spelling, or says how to list them.
Status CheckZooName(std::string_view name);

// One of AllZooNames. Fails as CheckZooName does.
Result<NetworkDraft> MakeDraft(std::string_view name, uint64_t seed);

}  // namespace mete
