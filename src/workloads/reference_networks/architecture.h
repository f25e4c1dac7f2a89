// The reference networks for bearing faults as plain values, layer by layer:
// training builds them, an ONNX file is written from them, and their parameters
// can be counted without either.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "support/result.h"

namespace mete {

constexpr int64_t kWindow = 1024;  // samples per input window

struct Layer;

// 1-D convolution.
struct ConvLayer {
  int64_t in = 0;
  int64_t out = 0;
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t padding = 0;
  bool bias = true;
};
// Batch normalization.
struct NormLayer {
  int64_t channels = 0;
};
// Fully connected layer.
struct LinearLayer {
  int64_t in = 0;
  int64_t out = 0;
};
// ReLU activation.
struct ReluLayer {};
// Tanh activation.
struct TanhLayer {};
struct DropoutLayer {};  // probability one half; does nothing in inference
// Joins channels and steps into one axis.
struct FlattenLayer {};
// 1-D max pooling.
struct MaxPoolLayer {
  int64_t kernel = 2;
  int64_t stride = 2;
  int64_t padding = 0;
};
// Reduces every channel to `size` maxima, whatever the input length.
struct AdaptiveMaxLayer {
  int64_t size = 1;
};
// Reduces every channel to `size` means, whatever the input length.
struct AdaptiveMeanLayer {
  int64_t size = 1;
};
// Bidirectional LSTM without biases; input channels by steps, output steps by 2
// hidden.
struct LstmLayer {
  int64_t in = 0;
  int64_t hidden = 0;
  int64_t layers = 1;
};
// Body plus shortcut (empty: the input itself), followed by ReLU.
struct ResidualLayer {
  std::vector<Layer> body;
  std::vector<Layer> shortcut;
};

// One layer of any kind.
struct Layer {
  std::variant<ConvLayer, NormLayer, LinearLayer, ReluLayer, TanhLayer,
               DropoutLayer, FlattenLayer, MaxPoolLayer, AdaptiveMaxLayer,
               AdaptiveMeanLayer, LstmLayer, ResidualLayer>
      kind;
};
using Layers = std::vector<Layer>;

// A network. Windows {1, kWindow} pass through the encoder and then the
// classifier. Autoencoders train encoder and decoder first; other networks have
// only a classifier.
struct Architecture {
  std::string name;
  int64_t classes = 0;
  Layers encoder;
  Layers classifier;
  Layers decoder;
  // Trainable layers that the Edge Benchmarking Framework has for windows of
  // 512: they take memory and are counted in its tables, but windows of 1024 do
  // not pass through them.
  Layers idle_encoder;
  Layers idle_decoder;
  bool sparse = false;          // penalizes latents away from one half
  bool residual_start = false;  // He et al. 2015: normal, by fan-out

  bool autoencoder() const { return !decoder.empty(); }
};

// The default.
inline constexpr const char* kUsualNetwork = "CNN_1d";

// MLP, CNN_1d, LeNet1d, Alexnet1d, Resnet1d, BiLSTM1d, Ae1d, Sae1d.
const std::vector<std::string>& ArchitectureNames();

// Fails with kInvalidInput and a list of the names.
Result<Architecture> FindArchitecture(std::string_view name, int64_t classes);

// Number of trainable parameters.
uint64_t ParameterCount(const Layers& layers);

}  // namespace mete
