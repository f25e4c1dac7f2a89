// The features of a network that predictors learn from: its characteristics,
// condensed into one row of a table.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "domain/characteristics.h"
#include "support/result.h"

namespace mete {

// Classes of work in a network: those of `describe`, with convolutions split by
// whether the kernel is a single point.
enum class WorkClass {
  kPointwise,  // 1x1 convolution
  kSpatial,    // any other dense convolution
  kDepthwise,
  kGemm,
  kAttention,
  kRnn,
  kPool,
  kNormalization,
  kSoftmax,
  kElementwise,
  kReduction,
  kMovement,
  kOther,
};
inline constexpr size_t kWorkClasses = 13;
// Its name in columns and keys: "pointwise", ….
std::string_view ToString(WorkClass work);

// Work of all nodes of one class in one inference.
struct ClassWork {
  double nodes = 0;
  double macs = 0;
  double flops = 0;
  double bytes = 0;  // of inputs, outputs and weights
  // Work-weighted means over the nodes of log2 of: the length of the inner sum,
  // the output channels and the output positions. 0 without work.
  double log_depth = 0;
  double log_channels = 0;
  double log_positions = 0;
};

// Everything a predictor knows about a network.
struct NetworkTraits {
  std::string name;
  std::string sha256;
  // The batch for which the values hold.
  int64_t batch = 1;
  LegacyCounts counts;
  double input_bytes = 0;
  double output_bytes = 0;
  double flops = 0;
  double macs = 0;
  double weight_bytes = 0;
  double activation_bytes = 0;
  double peak_activation_bytes = 0;
  double depth = 0;  // nodes on the longest path
  double nodes = 0;
  std::array<ClassWork, kWorkClasses> work;

  const ClassWork& Of(WorkClass which) const {
    return work[static_cast<size_t>(which)];
  }
};

// Fails with kInvalidInput and the open size when a value is missing in the
// characteristics, which must include layers.
Result<NetworkTraits> ComputeTraits(const Characteristics& described,
                                    std::string name, int64_t batch);

}  // namespace mete
