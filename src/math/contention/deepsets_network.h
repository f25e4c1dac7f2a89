// The network of NeuRO's profiler: sets of co-located services, pooled by a
// sum. Weights are trained by mete-torch and evaluated here without libtorch.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace mete {

inline constexpr size_t kDeepSetsEmbedding = 5;
inline constexpr size_t kDeepSetsOutputs = 3;  // mean, p75, p95
inline constexpr size_t kDeepSetsCounters = 3;
// Features of a deployment: its application's embedding, instances / 16 and
// requests per second of one instance / 10.
inline constexpr size_t kDeepSetsFeatures = kDeepSetsEmbedding + 2;
inline constexpr double kDeepSetsInstances = 16;
inline constexpr double kDeepSetsRate = 10;

// Inputs and outputs of the layers of each part; GELU between them.
struct LayerSize {
  size_t inputs = 0;
  size_t outputs = 0;
};
inline constexpr std::array<LayerSize, 3> kElementLayers{
    {{kDeepSetsFeatures, 50}, {50, 25}, {25, 5}}};
inline constexpr std::array<LayerSize, 3> kTimeLayers{
    {{5 + kDeepSetsFeatures, 50}, {50, 25}, {25, kDeepSetsOutputs}}};
// Trained beside the times and not needed afterwards.
inline constexpr std::array<LayerSize, 3> kCounterLayers{
    {{kDeepSetsFeatures, 50}, {50, 10}, {10, kDeepSetsCounters}}};

// outputs x inputs weights, row by row, and biases.
struct DenseLayer {
  std::vector<float> weights;
  std::vector<float> biases;
};

// One deployment: the application by its number.
struct DeepSetsElement {
  size_t application = 0;
  double instances = 1;
  double rate = 0;
};

// The weights, as they come from training.
struct DeepSetsNetwork {
  std::vector<float> embedding;  // applications x kDeepSetsEmbedding
  std::array<DenseLayer, 3> element;
  std::array<DenseLayer, 3> time;
  std::array<DenseLayer, 3> counter;

  // All parameters: 4,796 for nine applications.
  size_t ParameterCount() const;
  // Whether every part has its size.
  bool Fits(size_t applications) const;
  // Scaled times of the target beside the context.
  std::array<double, kDeepSetsOutputs> Evaluate(
      const DeepSetsElement& target,
      std::span<const DeepSetsElement> context) const;
};

// A network of zeros for so many applications.
DeepSetsNetwork EmptyDeepSets(size_t applications);

// The exact Gaussian error linear unit: x Phi(x).
double Gelu(double x);

}  // namespace mete
