// The reference networks for bearing faults, layer by layer as plain values:
// training builds them, an ONNX file is written from them, and their
// parameters are counted without either.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "support/result.h"

namespace mete {

constexpr int64_t kWindow = 1024;  // samples a network looks at

struct Layer;

struct ConvLayer {
  int64_t in = 0;
  int64_t out = 0;
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t padding = 0;
  bool bias = true;
};
struct NormLayer {  // batch normalisation
  int64_t channels = 0;
};
struct LinearLayer {
  int64_t in = 0;
  int64_t out = 0;
};
struct ReluLayer {};
struct TanhLayer {};
struct DropoutLayer {};  // of one half; nothing but while training
struct FlattenLayer {};
struct MaxPoolLayer {
  int64_t kernel = 2;
  int64_t stride = 2;
  int64_t padding = 0;
};
// Whatever comes in, so many values of every channel come out.
struct AdaptiveMaxLayer {
  int64_t size = 1;
};
struct AdaptiveMeanLayer {
  int64_t size = 1;
};
// Both directions, without biases; channels by steps in, steps by 2 hidden out.
struct LstmLayer {
  int64_t in = 0;
  int64_t hidden = 0;
  int64_t layers = 1;
};
// The body plus the shortcut (empty: the input itself), then ReLU.
struct ResidualLayer {
  std::vector<Layer> body;
  std::vector<Layer> shortcut;
};

struct Layer {
  std::variant<ConvLayer, NormLayer, LinearLayer, ReluLayer, TanhLayer,
               DropoutLayer, FlattenLayer, MaxPoolLayer, AdaptiveMaxLayer,
               AdaptiveMeanLayer, LstmLayer, ResidualLayer>
      kind;
};
using Layers = std::vector<Layer>;

// The windows {1, kWindow} go through encoder, then classifier. Autoencoders
// learn encoder and decoder first; other networks have a classifier alone.
struct Architecture {
  std::string name;
  int64_t classes = 0;
  Layers encoder;
  Layers classifier;
  Layers decoder;
  // Trainable layers the predecessor has for windows of 512: they take memory
  // and are counted in its tables, but no window of 1024 passes them.
  Layers idle_encoder;
  Layers idle_decoder;
  bool sparse = false;          // the encoder pays for latents away from a half
  bool residual_start = false;  // He et al. 2015: normal by fan-out

  bool autoencoder() const { return !decoder.empty(); }
};

// What is taken when nothing is said.
inline constexpr const char* kUsualNetwork = "CNN_1d";

// MLP, CNN_1d, LeNet1d, Alexnet1d, Resnet1d, BiLSTM1d, Ae1d, Sae1d.
const std::vector<std::string>& ArchitectureNames();

// Fails with kInvalidInput and the names there are.
Result<Architecture> ArchitectureOf(std::string_view name, int64_t classes);

// Trainable parameters.
uint64_t ParameterCount(const Layers& layers);

}  // namespace mete
