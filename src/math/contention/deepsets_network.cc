#include "contention/deepsets_network.h"

#include <cmath>
#include <numbers>

namespace mete {
namespace {

constexpr size_t kWidest = 50;
using Activations = std::array<double, kWidest>;

// GELU between layers, none after the last.
Activations RunLayers(std::span<const DenseLayer> layers,
                      std::span<const LayerSize> sizes, Activations values) {
  for (size_t l = 0; l < layers.size(); ++l) {
    Activations next{};
    const float* weight = layers[l].weights.data();
    for (size_t o = 0; o < sizes[l].outputs; ++o) {
      double sum = static_cast<double>(layers[l].biases[o]);
      for (size_t i = 0; i < sizes[l].inputs; ++i) {
        sum += static_cast<double>(*weight++) * values[i];
      }
      next[o] = l + 1 < layers.size() ? Gelu(sum) : sum;
    }
    values = next;
  }
  return values;
}

// Writes the features of an element from `to` on.
void AppendFeatures(const std::vector<float>& embedding,
                    const DeepSetsElement& element, double* to) {
  const float* row = &embedding[element.application * kDeepSetsEmbedding];
  for (size_t i = 0; i < kDeepSetsEmbedding; ++i) {
    *to++ = static_cast<double>(row[i]);
  }
  *to++ = element.instances / kDeepSetsInstances;
  *to = element.rate / kDeepSetsRate;
}

DenseLayer EmptyLayer(const LayerSize& size) {
  return {.weights = std::vector<float>(size.inputs * size.outputs),
          .biases = std::vector<float>(size.outputs)};
}

bool LayersFit(std::span<const DenseLayer> layers,
               std::span<const LayerSize> sizes) {
  for (size_t l = 0; l < layers.size(); ++l) {
    if (layers[l].weights.size() != sizes[l].inputs * sizes[l].outputs ||
        layers[l].biases.size() != sizes[l].outputs) {
      return false;
    }
  }
  return true;
}

}  // namespace

double Gelu(double x) { return x * std::erfc(-x / std::numbers::sqrt2) / 2; }

size_t DeepSetsNetwork::ParameterCount() const {
  size_t count = embedding.size();
  for (const auto* part : {&element, &time, &counter}) {
    for (const DenseLayer& layer : *part) {
      count += layer.weights.size() + layer.biases.size();
    }
  }
  return count;
}

bool DeepSetsNetwork::Fits(size_t applications) const {
  return embedding.size() == applications * kDeepSetsEmbedding &&
         LayersFit(element, kElementLayers) && LayersFit(time, kTimeLayers) &&
         LayersFit(counter, kCounterLayers);
}

std::array<double, kDeepSetsOutputs> DeepSetsNetwork::Evaluate(
    const DeepSetsElement& target,
    std::span<const DeepSetsElement> context) const {
  Activations input{};
  for (const DeepSetsElement& one : context) {
    Activations features{};
    AppendFeatures(embedding, one, features.data());
    const Activations pooled = RunLayers(element, kElementLayers, features);
    for (size_t i = 0; i < kElementLayers.back().outputs; ++i) {
      input[i] += pooled[i];
    }
  }
  AppendFeatures(embedding, target, &input[kElementLayers.back().outputs]);
  const Activations scores = RunLayers(time, kTimeLayers, input);
  std::array<double, kDeepSetsOutputs> times{};
  for (size_t i = 0; i < times.size(); ++i) times[i] = std::exp(scores[i]);
  return times;
}

DeepSetsNetwork EmptyDeepSets(size_t applications) {
  DeepSetsNetwork network;
  network.embedding.resize(applications * kDeepSetsEmbedding);
  for (size_t l = 0; l < 3; ++l) {
    network.element[l] = EmptyLayer(kElementLayers[l]);
    network.time[l] = EmptyLayer(kTimeLayers[l]);
    network.counter[l] = EmptyLayer(kCounterLayers[l]);
  }
  return network;
}

}  // namespace mete
