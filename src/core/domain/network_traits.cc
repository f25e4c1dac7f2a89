#include "domain/network_traits.h"

#include <algorithm>
#include <cmath>

namespace mete {
namespace {

constexpr std::array<std::string_view, kWorkClasses> kNames = {
    "pointwise", "spatial",  "depthwise",     "gemm",    "attention",
    "rnn",       "pool",     "normalization", "softmax", "elementwise",
    "reduction", "movement", "other"};

WorkClass ByName(std::string_view name) {
  for (size_t i = 0; i < kWorkClasses; ++i) {
    if (kNames[i] == name) return static_cast<WorkClass>(i);
  }
  return WorkClass::kOther;
}

// Lengths of a node's loops: positions x channels x depth of the sum.
struct LoopSizes {
  double depth = 1;
  double channels = 1;
  double positions = 1;
};

double Elements(const Shape& shape) {
  double product = 1;
  for (const Dimension& size : shape) {
    product *= static_cast<double>(size.size.value_or(1));
  }
  return product;
}

// The channels are the second axis of a convolution's output, and the last axis
// of all others.
LoopSizes ComputeLoops(const LayerCost& layer) {
  LoopSizes loops;
  if (!layer.output_shape || layer.output_shape->empty()) return loops;
  const Shape& shape = *layer.output_shape;
  double elements = std::max(1.0, Elements(shape));
  bool conv = layer.cost_class == "conv" || layer.cost_class == "depthwise";
  const Dimension& channels =
      conv && shape.size() > 1 ? shape[1] : shape.back();
  loops.channels =
      std::max(1.0, static_cast<double>(channels.size.value_or(1)));
  loops.positions = std::max(1.0, elements / loops.channels);
  loops.depth =
      std::max(1.0, static_cast<double>(layer.macs.value_or(0)) / elements);
  return loops;
}

WorkClass ClassifyLayer(const LayerCost& layer) {
  if (layer.cost_class == "conv") {
    return layer.kernel_points == 1u ? WorkClass::kPointwise
                                     : WorkClass::kSpatial;
  }
  return ByName(layer.cost_class);
}

void Add(const LayerCost& layer, ClassWork& work) {
  double macs = static_cast<double>(layer.macs.value_or(0));
  double bytes = static_cast<double>(layer.input_bytes.value_or(0)) +
                 static_cast<double>(layer.output_bytes.value_or(0)) +
                 4.0 * static_cast<double>(layer.parameters);
  double weight = std::max(macs, 1.0);
  LoopSizes loops = ComputeLoops(layer);
  work.nodes += 1;
  work.macs += macs;
  work.flops += static_cast<double>(layer.flops.value_or(0));
  work.bytes += bytes;
  work.log_depth += weight * std::log2(loops.depth);
  work.log_channels += weight * std::log2(loops.channels);
  work.log_positions += weight * std::log2(loops.positions);
}

void FinishMeans(ClassWork& work) {
  double weight = std::max(work.macs, work.nodes);
  if (weight <= 0) return;
  work.log_depth /= weight;
  work.log_channels /= weight;
  work.log_positions /= weight;
}

// The values that a predictor requires.
Status RequireWhole(const Characteristics& described) {
  if (described.flops && described.macs && described.activation_bytes &&
      described.peak_activation_bytes && described.model_input_size &&
      described.model_output_size) {
    return {};
  }
  std::string why = described.notes.empty() ? "" : ": " + described.notes[0];
  return InvalidInput("the network leaves sizes open, so its cost is unknown" +
                      why);
}

}  // namespace

std::string_view ToString(WorkClass work) {
  return kNames[static_cast<size_t>(work)];
}

Result<NetworkTraits> ComputeTraits(const Characteristics& described,
                                    std::string name, int64_t batch) {
  RETURN_IF_ERROR(RequireWhole(described));
  NetworkTraits traits;
  traits.name = std::move(name);
  traits.sha256 = described.sha256;
  traits.batch = batch;
  traits.counts = described.counts;
  traits.input_bytes = static_cast<double>(*described.model_input_size);
  traits.output_bytes = static_cast<double>(*described.model_output_size);
  traits.flops = static_cast<double>(*described.flops);
  traits.macs = static_cast<double>(*described.macs);
  traits.weight_bytes = static_cast<double>(described.weight_bytes);
  traits.activation_bytes = static_cast<double>(*described.activation_bytes);
  traits.peak_activation_bytes =
      static_cast<double>(*described.peak_activation_bytes);
  traits.depth = static_cast<double>(described.depth);
  for (const LayerCost& layer : described.layers) {
    // A stored constant costs nothing when the network runs.
    if (layer.op == "Constant") continue;
    traits.nodes += 1;
    Add(layer, traits.work[static_cast<size_t>(ClassifyLayer(layer))]);
  }
  for (ClassWork& work : traits.work) FinishMeans(work);
  return traits;
}

}  // namespace mete
