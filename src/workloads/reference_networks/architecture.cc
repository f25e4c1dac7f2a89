#include "reference_networks/architecture.h"

#include "reference_networks/choice.h"

namespace mete {
namespace {

void Append(Layers& to, const Layers& more) {
  to.insert(to.end(), more.begin(), more.end());
}

Layers ConvNorm(const ConvLayer& conv) {
  return {{conv}, {NormLayer{conv.out}}, {ReluLayer{}}};
}

Layers Dense(int64_t in, int64_t out) {
  return {{LinearLayer{in, out}}, {NormLayer{out}}, {ReluLayer{}}};
}

Layers DenseChain(const std::vector<int64_t>& sizes) {
  Layers layers;
  for (size_t i = 1; i < sizes.size(); ++i) {
    Append(layers, Dense(sizes[i - 1], sizes[i]));
  }
  return layers;
}

// The layers that MLP and the encoders share.
Layers Trunk() {
  Layers layers = {{FlattenLayer{}}};
  Append(layers, DenseChain({kWindow, 1024, 512, 256, 128, 64}));
  return layers;
}

Architecture Mlp(int64_t classes) {
  Architecture net;
  net.classifier = Trunk();
  net.classifier.push_back({LinearLayer{64, classes}});
  net.idle_encoder = Dense(512, 1024);
  return net;
}

Architecture Cnn(int64_t classes) {
  Layers layers = ConvNorm({.in = 1, .out = 16, .kernel = 15});
  Append(layers, ConvNorm({.in = 16, .out = 32, .kernel = 3}));
  layers.push_back({MaxPoolLayer{}});
  Append(layers, ConvNorm({.in = 32, .out = 64, .kernel = 3}));
  Append(layers, ConvNorm({.in = 64, .out = 128, .kernel = 3}));
  Append(layers, {{AdaptiveMaxLayer{4}},
                  {FlattenLayer{}},
                  {LinearLayer{512, 256}},
                  {ReluLayer{}},
                  {LinearLayer{256, 64}},
                  {ReluLayer{}},
                  {LinearLayer{64, classes}}});
  return {.classifier = std::move(layers)};
}

Architecture LeNet(int64_t classes) {
  return {.classifier = {{ConvLayer{.in = 1, .out = 6, .kernel = 5}},
                         {ReluLayer{}},
                         {MaxPoolLayer{}},
                         {ConvLayer{.in = 6, .out = 16, .kernel = 5}},
                         {ReluLayer{}},
                         {AdaptiveMaxLayer{5}},
                         {FlattenLayer{}},
                         {LinearLayer{80, 30}},
                         {ReluLayer{}},
                         {LinearLayer{30, 10}},
                         {ReluLayer{}},
                         {LinearLayer{10, classes}}}};
}

Architecture AlexNet(int64_t classes) {
  const MaxPoolLayer pool{.kernel = 3, .stride = 2};
  auto conv = [](int64_t in, int64_t out, int64_t kernel) {
    return ConvLayer{
        .in = in, .out = out, .kernel = kernel, .padding = kernel / 2};
  };
  ConvLayer first{.in = 1, .out = 64, .kernel = 11, .stride = 4, .padding = 2};
  return {.classifier = {{first},
                         {ReluLayer{}},
                         {pool},
                         {conv(64, 192, 5)},
                         {ReluLayer{}},
                         {pool},
                         {conv(192, 384, 3)},
                         {ReluLayer{}},
                         {conv(384, 256, 3)},
                         {ReluLayer{}},
                         {conv(256, 256, 3)},
                         {ReluLayer{}},
                         {pool},
                         {AdaptiveMeanLayer{6}},
                         {FlattenLayer{}},
                         {DropoutLayer{}},
                         {LinearLayer{1536, 1024}},
                         {ReluLayer{}},
                         {DropoutLayer{}},
                         {LinearLayer{1024, 1024}},
                         {ReluLayer{}},
                         {LinearLayer{1024, classes}}}};
}

// He et al. 2016, figure 5 left, over one axis.
Layer BasicBlock(int64_t in, int64_t out, int64_t stride) {
  ConvLayer first{.in = in,
                  .out = out,
                  .kernel = 3,
                  .stride = stride,
                  .padding = 1,
                  .bias = false};
  ConvLayer second{
      .in = out, .out = out, .kernel = 3, .padding = 1, .bias = false};
  ResidualLayer block;
  block.body = {
      {first}, {NormLayer{out}}, {ReluLayer{}}, {second}, {NormLayer{out}}};
  if (stride != 1 || in != out) {
    ConvLayer fit{.in = in, .out = out, .stride = stride, .bias = false};
    block.shortcut = {{fit}, {NormLayer{out}}};
  }
  return {std::move(block)};
}

Architecture ResNet(int64_t classes) {
  Layers layers = ConvNorm({.in = 1,
                            .out = 64,
                            .kernel = 7,
                            .stride = 2,
                            .padding = 3,
                            .bias = false});
  layers.push_back({MaxPoolLayer{.kernel = 3, .stride = 2, .padding = 1}});
  int64_t channels = 64;
  for (int64_t planes : {64, 128, 256, 512}) {
    layers.push_back(BasicBlock(channels, planes, planes == 64 ? 1 : 2));
    layers.push_back(BasicBlock(planes, planes, 1));
    channels = planes;
  }
  Append(layers, {{AdaptiveMeanLayer{1}},
                  {FlattenLayer{}},
                  {LinearLayer{channels, classes}}});
  return {.classifier = std::move(layers), .residual_start = true};
}

Architecture BiLstm(int64_t classes) {
  Layers layers = ConvNorm({.in = 1, .out = 16, .kernel = 3, .padding = 1});
  layers.push_back({MaxPoolLayer{}});
  Append(layers, ConvNorm({.in = 16, .out = 32, .kernel = 3, .padding = 1}));
  Append(layers, {{AdaptiveMaxLayer{25}},
                  {LstmLayer{.in = 32, .hidden = 64, .layers = 2}},
                  {TanhLayer{}},
                  {FlattenLayer{}},
                  {LinearLayer{3200, 256}},
                  {ReluLayer{}},
                  {DropoutLayer{}},
                  {LinearLayer{256, classes}}});
  return {.classifier = std::move(layers)};
}

Architecture Autoencoder(int64_t classes) {
  Architecture net;
  net.encoder = Trunk();
  net.encoder.push_back({LinearLayer{64, 64}});
  net.classifier = {{ReluLayer{}}, {LinearLayer{64, classes}}};
  net.decoder = DenseChain({64, 64, 128, 256, 512, 1024, kWindow});
  net.idle_encoder = Dense(512, 1024);
  net.idle_decoder = {{LinearLayer{1024, 512}}};
  return net;
}

Architecture SparseAutoencoder(int64_t classes) {
  Architecture net = Autoencoder(classes);
  net.sparse = true;
  return net;
}

struct ArchitectureMaker {
  Architecture (*make)(int64_t classes);
};
constexpr Named<ArchitectureMaker> kKnown[] = {
    {"MLP", {Mlp}},          {"CNN_1d", {Cnn}},
    {"LeNet1d", {LeNet}},    {"Alexnet1d", {AlexNet}},
    {"Resnet1d", {ResNet}},  {"BiLSTM1d", {BiLstm}},
    {"Ae1d", {Autoencoder}}, {"Sae1d", {SparseAutoencoder}}};

uint64_t Product(int64_t a, int64_t b) { return static_cast<uint64_t>(a * b); }

struct Counter {
  uint64_t operator()(const ConvLayer& c) const {
    return Product(c.out, c.in * c.kernel + (c.bias ? 1 : 0));
  }
  uint64_t operator()(const NormLayer& n) const {
    return Product(2, n.channels);
  }
  uint64_t operator()(const LinearLayer& l) const {
    return Product(l.out, l.in + 1);
  }
  uint64_t operator()(const LstmLayer& l) const {
    uint64_t count = 0;
    int64_t in = l.in;
    for (int64_t i = 0; i < l.layers; ++i) {
      count += 2 * Product(4 * l.hidden, in + l.hidden);  // two directions
      in = 2 * l.hidden;
    }
    return count;
  }
  uint64_t operator()(const ResidualLayer& r) const {
    return ParameterCount(r.body) + ParameterCount(r.shortcut);
  }
  uint64_t operator()(const ReluLayer&) const { return 0; }
  uint64_t operator()(const TanhLayer&) const { return 0; }
  uint64_t operator()(const DropoutLayer&) const { return 0; }
  uint64_t operator()(const FlattenLayer&) const { return 0; }
  uint64_t operator()(const MaxPoolLayer&) const { return 0; }
  uint64_t operator()(const AdaptiveMaxLayer&) const { return 0; }
  uint64_t operator()(const AdaptiveMeanLayer&) const { return 0; }
};

}  // namespace

const std::vector<std::string>& ArchitectureNames() {
  static const std::vector<std::string> names = ListNames(kKnown);
  return names;
}

Result<Architecture> FindArchitecture(std::string_view name, int64_t classes) {
  ASSIGN_OR_RETURN(ArchitectureMaker maker, Choose(kKnown, "network", name));
  Architecture net = maker.make(classes);
  net.name = name;
  net.classes = classes;
  return net;
}

uint64_t ParameterCount(const Layers& layers) {
  uint64_t count = 0;
  for (const Layer& layer : layers) count += std::visit(Counter{}, layer.kind);
  return count;
}

}  // namespace mete
