// The published networks of the zoo, one function each. Parameter counts match
// the torchvision versions where they exist.
#pragma once

#include <cstdint>

#include "domain/network_draft.h"

namespace mete {

// classic_networks.cc: sequential convolutions.
NetworkDraft LeNet5(uint64_t seed);
NetworkDraft AlexNet(uint64_t seed);
NetworkDraft Vgg11(uint64_t seed);
NetworkDraft Vgg16(uint64_t seed);

// residual_networks.cc: shortcuts, by addition or concatenation.
NetworkDraft ResNet18(uint64_t seed);
NetworkDraft ResNet34(uint64_t seed);
NetworkDraft ResNet50(uint64_t seed);
NetworkDraft DenseNet121(uint64_t seed);

// branching_networks.cc: parallel convolutions.
NetworkDraft GoogLeNet(uint64_t seed);
NetworkDraft SqueezeNet10(uint64_t seed);
NetworkDraft SqueezeNet11(uint64_t seed);

// mobile_networks.cc: depthwise convolutions.
NetworkDraft MobileNetV1(uint64_t seed);
NetworkDraft MobileNetV2(uint64_t seed);
NetworkDraft EfficientNetB0(uint64_t seed);

// sequence_networks.cc: vectors, signals and sequences.
NetworkDraft Mlp(uint64_t seed);
NetworkDraft Cnn1d(uint64_t seed);
NetworkDraft Lstm(uint64_t seed);
NetworkDraft Gru(uint64_t seed);
NetworkDraft TransformerEncoder(uint64_t seed);

}  // namespace mete
