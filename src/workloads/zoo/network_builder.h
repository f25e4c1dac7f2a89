// Builds architectures layer by layer: tracks shapes, cost and magnitudes, so
// that a network reads like the table in its paper.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "domain/network_draft.h"

namespace mete {

// A value in a network under construction.
struct Value {
  std::string name;
  std::vector<int64_t> sizes;  // of one sample, without the batch axis
  // Expected mean square over random weights. Each layer's weights are scaled
  // by the power of its input so that its output has power 1: after a ReLU that
  // is the bound of He et al. 2015, after a linear layer that of Glorot and
  // Bengio 2010. Denormals, infinities and NaN would distort timing.
  double power = 1;

  int64_t channels() const { return sizes.front(); }
};

// Activation functions.
enum class Activation { kNone, kRelu, kRelu6, kSilu, kHardSwish, kTanh, kGelu };

// A 1-D or 2-D convolution over all axes except the channels.
struct ConvOptions {
  int64_t channels = 0;
  int64_t kernel = 1;
  int64_t stride = 1;
  std::optional<int64_t> padding;  // absent: half the kernel
  int64_t groups = 1;
  bool bias = false;
};

// A pooling window.
struct PoolOptions {
  int64_t kernel = 2;
  int64_t stride = 2;
  int64_t padding = 0;
  bool ceil = false;  // the last window may exceed the edge
};

// Kind of recurrent layer.
enum class Cell { kLstm, kGru };

// A stack of recurrent layers.
struct RecurrentOptions {
  Cell cell = Cell::kLstm;
  int64_t hidden = 0;
  int64_t layers = 1;
};

// Builds a network. Wrong sizes are bugs of the architecture and are CHECKed.
// The first axis of every value is the symbolic dimension "batch".
class NetworkBuilder {
 public:
  NetworkBuilder(std::string name, std::vector<int64_t> input_sizes,
                 ElementType input_type = ElementType::kFloat);

  const Value& input() const { return input_; }

  Value Conv(const Value& x, const ConvOptions& options);
  // Its statistics are mean 0 and variance 1, so it keeps magnitudes.
  Value BatchNorm(const Value& x);
  Value LayerNorm(const Value& x);  // over the last axis
  Value Activate(const Value& x, Activation activation);
  Value Sigmoid(const Value& x);
  Value MaxPool(const Value& x, const PoolOptions& options);
  Value AveragePool(const Value& x, const PoolOptions& options);
  // The mean of every channel; the axes remain with size 1.
  Value GlobalPool(const Value& x);
  Value Flatten(const Value& x);
  // A fully connected layer over the last axis.
  Value Linear(const Value& x, int64_t features);
  Value Add(const Value& a, const Value& b);
  // Elementwise; a gate of size 1 along an axis is broadcast.
  Value Multiply(const Value& x, const Value& gate);
  Value Concat(const std::vector<Value>& values);  // along the channels
  // Multi-head self-attention over a sequence {steps, features}.
  Value SelfAttention(const Value& x, int64_t heads);
  // Recurrent layers over {steps, features}; returns the last hidden state.
  Value Recurrent(const Value& x, const RecurrentOptions& options);

  // Multiply-accumulates of convolutions, products and recurrences so far, for
  // one sample.
  uint64_t macs() const { return macs_; }
  // Elements of all filled constants so far.
  uint64_t weights() const { return weights_; }

  NetworkDraft Finish(const Value& output, uint64_t seed) &&;

  // ---- For architectures with layers of their own.

  // Shape and power of a node's output.
  struct Shaped {
    std::vector<int64_t> sizes;
    double power = 1;
    size_t position = 0;  // among the node's outputs; earlier ones are omitted
  };
  // "conv_12": unique in the network.
  std::string NextName(const std::string& op);
  Value Emit(const std::string& op, std::vector<std::string> inputs,
             Shaped output, std::vector<Attribute> attributes = {});
  // Constants; return their names.
  std::string Weight(const std::string& name, std::vector<int64_t> sizes,
                     Fill fill);
  std::string Integers(const std::vector<int64_t>& content);
  std::string Real(double content);
  Value Reshape(const Value& x, const std::vector<int64_t>& sizes);
  // `order` counts the batch axis as 0 and keeps it in place.
  Value Transpose(const Value& x, const std::vector<int64_t>& order);
  // A batched matrix product over the last two axes.
  Value Product(const Value& a, const Value& b, double power);
  // Multiply-accumulates of emitted nodes.
  void CountMacs(uint64_t macs) { macs_ += macs; }
  // The last node uses an operator of another set than the standard one.
  void SetDomain(const OperatorSet& set);

 private:
  Value Pool(const std::string& op, const Value& x, const PoolOptions& options,
             double power);
  Value RecurrentLayer(const Value& sequence, const RecurrentOptions& options,
                       Shaped output);

  std::string name_;
  Value input_;
  ElementType input_type_;
  NetworkDraft draft_;
  size_t names_ = 0;
  uint64_t macs_ = 0;
  uint64_t weights_ = 0;
};

}  // namespace mete
