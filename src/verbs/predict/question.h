// The network that a predictor is asked about.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "domain/latency_row.h"
#include "domain/network_traits.h"
#include "domain/tensor.h"

namespace mete {

// The seven numbers that the HTTP route of the PEPPER profiler carries. Absent:
// not given.
struct NetworkCounts {
  std::optional<double> conv_layers;
  std::optional<double> pool_layers;
  std::optional<double> fc_layers;
  std::optional<double> filter_details;
  std::optional<double> total_parameters;
  std::optional<double> input_bytes;   // model_input_size
  std::optional<double> output_bytes;  // model_output_size
};

// A network described by its traits, or by the counts alone.
struct NetworkQuestion {
  std::string name;
  NetworkCounts counts;
  std::optional<NetworkTraits> traits;
  std::vector<ShapeOverride> shapes;  // sizes the traits were computed with
  std::vector<std::string> inputs;    // values for runs, such as "sr=16000"
};

// The network of a measured row.
NetworkQuestion ToQuestion(const LatencyRow& row);

// The counts of a network whose traits are known.
NetworkCounts ToNetworkCounts(const NetworkTraits& traits);

}  // namespace mete
