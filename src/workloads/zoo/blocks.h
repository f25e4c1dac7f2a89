// The building blocks of published networks; the zoo stacks them as published,
// samples stack them at random.
#pragma once

#include "zoo/network_builder.h"

namespace mete {

// Parameters of a block. Not every block uses every field.
struct BlockOptions {
  int64_t channels = 0;  // at its output
  int64_t inner = 0;     // between its convolutions, where applicable
  int64_t kernel = 3;
  int64_t stride = 1;
  int64_t squeeze = 0;  // channels inside squeeze-and-excitation; 0: none
  Activation activation = Activation::kRelu;
};

// Convolution without bias, batch normalization, activation.
Value ConvNorm(NetworkBuilder& net, const Value& x, const ConvOptions& conv,
               Activation activation);

Value PlainBlock(NetworkBuilder& net, const Value& x, const BlockOptions& o);

// He et al. 2016, "Deep residual learning", figure 5 left and right (stride in
// the 3x3 convolution, as in torchvision).
Value BasicBlock(NetworkBuilder& net, const Value& x, const BlockOptions& o);
Value BottleneckBlock(NetworkBuilder& net, const Value& x,
                      const BlockOptions& o);

// Howard et al. 2017, "MobileNets", figure 3.
Value SeparableBlock(NetworkBuilder& net, const Value& x,
                     const BlockOptions& o);

// Sandler et al. 2018, "MobileNetV2", figure 4; with `squeeze` the MBConv of
// EfficientNet. `inner` equal to the input's channels: no expansion.
Value InvertedBlock(NetworkBuilder& net, const Value& x, const BlockOptions& o);

// Hu et al. 2018, "Squeeze-and-excitation networks", figure 2; the convolutions
// have biases.
Value SqueezeExcite(NetworkBuilder& net, const Value& x, int64_t squeeze,
                    Activation activation);

// Huang et al. 2017, "Densely connected networks": bottleneck of `inner`
// channels; appends `channels` new ones to the input.
Value DenseLayer(NetworkBuilder& net, const Value& x, const BlockOptions& o);
// Halves the resolution and reduces to `channels`.
Value DenseTransition(NetworkBuilder& net, const Value& x, int64_t channels);

// Global pooling and one linear layer for 1,000 classes: the end of most
// convolutional networks.
NetworkDraft FinishClassifier(NetworkBuilder net, const Value& x,
                              uint64_t seed);

// The channels of the four branches of an inception block.
struct InceptionOptions {
  int64_t direct = 0;
  int64_t reduce3 = 0, conv3 = 0;
  int64_t reduce5 = 0, conv5 = 0;
  int64_t pooled = 0;
};
// Szegedy et al. 2015, "Going deeper with convolutions", figure 2b, with batch
// normalization and, as in torchvision, 3x3 instead of 5x5.
Value InceptionBlock(NetworkBuilder& net, const Value& x,
                     const InceptionOptions& o);

// Iandola et al. 2016, "SqueezeNet", figure 1: `inner` channels squeezed, half
// of `channels` from 1x1 and half from 3x3.
Value FireBlock(NetworkBuilder& net, const Value& x, const BlockOptions& o);

// Parameters of a transformer encoder layer.
struct EncoderOptions {
  int64_t heads = 1;
  int64_t hidden = 0;  // of the feed-forward part
  Activation activation = Activation::kRelu;
};
// One encoder layer of Vaswani et al. 2017, with normalization after each
// addition.
Value EncoderLayer(NetworkBuilder& net, const Value& x,
                   const EncoderOptions& o);

}  // namespace mete
