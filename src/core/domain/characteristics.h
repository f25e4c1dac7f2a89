// Characteristics of a network that `describe` computes without running it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "domain/graph.h"

namespace mete {

// The cost of one node. Absent fields depend on a shape that is not known.
struct LayerCost {
  std::string name;
  std::string op;
  std::optional<Shape> output_shape;  // of the first output
  std::optional<uint64_t> macs;
  std::optional<uint64_t> flops;
  uint64_t parameters = 0;  // elements of constants not used by an earlier node
  std::optional<uint64_t> input_bytes;  // without constants
  std::optional<uint64_t> output_bytes;
  std::optional<uint64_t> kernel_points;  // of a convolution: 9 for 3x3
  std::string cost_class;  // key of Characteristics::macs_by_class
};

// Counts by the rules of PEPPER's extractor: top-level graph only.
struct LegacyCounts {
  uint64_t conv_layers = 0;
  uint64_t pool_layers = 0;
  uint64_t fc_layers = 0;
  uint64_t filter_details = 0;
  uint64_t total_parameters = 0;
  std::string network_type;  // CNN, RNN, MLP, Transformer or Unknown
};

// What a network contains, wherever it is stored: all branches and loop bodies,
// Constant nodes and quantized operators included. Absent: not known from the
// file.
struct LayerCounts {
  std::optional<uint64_t> parameters;  // learned values
  uint64_t convolutions = 0;
  std::optional<uint64_t> filters;  // of all convolutions
  uint64_t pools = 0;
  uint64_t dense_layers = 0;  // matrix products with a constant factor
  uint64_t recurrent_layers = 0;
  std::string kind;  // "CNN", "RNN", "CNN+RNN", …
};

// Everything derived from the graph. Absent: it depends on a shape that is not
// known, and `notes` says which.
struct Characteristics {
  LayerCounts layer_counts;
  LegacyCounts counts;
  std::optional<uint64_t> model_input_size;   // bytes
  std::optional<uint64_t> model_output_size;  // bytes
  std::optional<uint64_t> flops;
  std::optional<uint64_t> macs;
  uint64_t weight_bytes = 0;
  std::optional<uint64_t> activation_bytes;
  std::optional<uint64_t> peak_activation_bytes;
  uint64_t depth = 0;  // nodes on the longest path
  int64_t opset = 0;
  std::map<std::string, uint64_t> operators;      // including subgraphs
  std::map<std::string, uint64_t> macs_by_class;  // conv, depthwise, gemm, …
  std::string sha256;
  std::vector<GraphValue> inputs;
  std::vector<GraphValue> outputs;
  std::vector<LayerCost> layers;
  std::vector<std::string> notes;
};

}  // namespace mete
