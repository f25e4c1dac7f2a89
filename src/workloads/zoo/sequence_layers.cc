// Layers over sequences: attention and recurrence.
#include <algorithm>
#include <cmath>

#include "support/check.h"
#include "zoo/network_builder.h"

namespace mete {
namespace {

// Mean square of hidden states under uniform weights of 1/sqrt(hidden), as
// observed.
constexpr double kRecurrentPower = 0.01;

}  // namespace

Value NetworkBuilder::Reshape(const Value& x,
                              const std::vector<int64_t>& sizes) {
  CHECK(ElementCount(x.sizes) == ElementCount(sizes))
      << x.name << " has another number of elements";
  std::vector<int64_t> target{0};  // 0: keep the batch
  target.insert(target.end(), sizes.begin(), sizes.end());
  return Emit("Reshape", {x.name, Integers(target)}, {sizes, x.power});
}

Value NetworkBuilder::Transpose(const Value& x,
                                const std::vector<int64_t>& order) {
  std::vector<int64_t> sizes;
  for (size_t axis = 1; axis < order.size(); ++axis)
    sizes.push_back(x.sizes.at(static_cast<size_t>(order[axis] - 1)));
  return Emit("Transpose", {x.name}, {sizes, x.power}, {{"perm", order}});
}

// A batched matrix product over the last two axes.
Value NetworkBuilder::Product(const Value& a, const Value& b, double power) {
  CHECK(a.sizes.back() == b.sizes.end()[-2]) << "inner sizes differ";
  std::vector<int64_t> sizes = a.sizes;
  sizes.back() = b.sizes.back();
  macs_ += *ElementCount(sizes) * static_cast<uint64_t>(a.sizes.back());
  return Emit("MatMul", {a.name, b.name}, {sizes, power});
}

// Vaswani et al. 2017, "Attention is all you need", section 3.2.
Value NetworkBuilder::SelfAttention(const Value& x, int64_t heads) {
  CHECK(x.sizes.size() == 2) << x.name << " is not a sequence";
  const int64_t steps = x.sizes[0], features = x.sizes[1];
  CHECK(features % heads == 0)
      << features << " features in " << heads << " heads";
  const int64_t depth = features / heads;
  auto project = [&] {
    return Reshape(Linear(x, features), {steps, heads, depth});
  };
  Value query = Transpose(project(), {0, 2, 1, 3});
  Value key = Transpose(project(), {0, 2, 3, 1});
  Value value = Transpose(project(), {0, 2, 1, 3});
  Value scores = Product(query, key, static_cast<double>(depth));
  const double scale = 1 / std::sqrt(static_cast<double>(depth));
  Value scaled = Emit("Mul", {scores.name, Real(scale)}, {scores.sizes});
  Value share =
      Emit("Softmax", {scaled.name}, {scores.sizes}, {{"axis", int64_t{-1}}});
  // The mean of `steps` values whose weights are exp of a standard normal has
  // E[exp(2z)] / E[exp(z)]^2 = e times the power of a plain mean, at most 1.
  const double power = std::min(2.7 / static_cast<double>(steps), 1.0);
  Value mixed = Product(share, value, power);
  return Linear(Reshape(Transpose(mixed, {0, 2, 1, 3}), {steps, features}),
                features);
}

// Engines expect {steps, batch, features}: ONNX Runtime does not implement the
// batch-first layout of ONNX.
Value NetworkBuilder::Recurrent(const Value& x,
                                const RecurrentOptions& options) {
  CHECK(x.sizes.size() == 2 && options.layers > 0) << x.name;
  const int64_t steps = x.sizes[0], hidden = options.hidden;
  Value sequence = Emit("Transpose", {x.name}, {x.sizes, x.power},
                        {{"perm", std::vector<int64_t>{1, 0, 2}}});
  for (int64_t layer = 1; layer < options.layers; ++layer) {
    Value all = RecurrentLayer(sequence, options, {{1, steps, hidden}});
    sequence = Emit("Squeeze", {all.name, Integers({1})},
                    {{steps, hidden}, kRecurrentPower});
  }
  Value last =
      RecurrentLayer(sequence, options, {.sizes = {1, hidden}, .position = 1});
  return Emit("Squeeze", {last.name, Integers({0})},
              {{hidden}, kRecurrentPower});
}

// One layer; `output` selects all hidden states (position 0) or the last one
// (position 1).
Value NetworkBuilder::RecurrentLayer(const Value& sequence,
                                     const RecurrentOptions& options,
                                     Shaped output) {
  const bool lstm = options.cell == Cell::kLstm;
  const int64_t gates = lstm ? 4 : 3;
  const int64_t hidden = options.hidden;
  const int64_t steps = sequence.sizes[0], features = sequence.sizes[1];
  const UniformFill fill{1 / std::sqrt(static_cast<double>(hidden))};
  const std::string name = NextName("weights");
  std::vector<std::string> inputs{
      sequence.name,
      Weight(name + ".input", {1, gates * hidden, features}, fill),
      Weight(name + ".recurrent", {1, gates * hidden, hidden}, fill),
      Weight(name + ".bias", {1, 2 * gates * hidden}, fill)};
  macs_ += static_cast<uint64_t>(steps * gates * hidden * (features + hidden));
  std::vector<Attribute> attributes{{"hidden_size", hidden}};
  // The variant with two biases, as in PyTorch and cuDNN.
  if (!lstm) attributes.push_back({"linear_before_reset", int64_t{1}});
  return Emit(lstm ? "LSTM" : "GRU", std::move(inputs), std::move(output),
              std::move(attributes));
}

}  // namespace mete
