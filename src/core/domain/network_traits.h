// The numbers of a network that predictors learn from: its characteristics,
// condensed so that one row of a table can hold them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "domain/characteristics.h"
#include "support/result.h"

namespace mete {

// The classes of work a network is split into. The first are those of
// describe, with convolutions split by whether the kernel is one point.
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
// Its name in columns and keys: "pointwise", …
std::string_view NameOf(WorkClass work);

// What all nodes of one class do in one inference.
struct ClassWork {
  double nodes = 0;
  double macs = 0;
  double flops = 0;
  double bytes = 0;  // of inputs, outputs and weights
  // Means over the nodes, weighted by their work, of log2: the length of the
  // inner sum, the output channels and the output positions. 0 without work.
  double log_depth = 0;
  double log_channels = 0;
  double log_positions = 0;
};

struct NetworkTraits {
  std::string name;
  std::string sha256;
  // The batch these figures are for.
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

// Fails with kInvalidInput, naming the open size, when the characteristics
// lack a figure; they must hold layers.
Result<NetworkTraits> TraitsOf(const Characteristics& described,
                               std::string name, int64_t batch);

}  // namespace mete
