#include "zoo/network_builder.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "support/check.h"

namespace mete {
namespace {

// Small compared to pre-activations of power 1, but not all equal.
constexpr double kBiasBound = 0.1;

Shape WithBatch(const std::vector<int64_t>& sizes) {
  Shape shape = KnownShape(sizes);
  shape.insert(shape.begin(), Dimension{.symbol = "batch"});
  return shape;
}

uint64_t Elements(const std::vector<int64_t>& sizes) {
  std::optional<uint64_t> count = ElementCount(sizes);
  CHECK(count && *count > 0) << "empty or impossible shape";
  return *count;
}

// The uniform fill that turns inputs of a given power into outputs of power 1:
// a sum of fan_in products has power fan_in * bound^2/3 * power.
UniformFill FillFor(int64_t fan_in, double power) {
  return {std::sqrt(3.0 / (static_cast<double>(fan_in) * power))};
}

std::vector<int64_t> Repeat(int64_t value, size_t times) {
  return std::vector<int64_t>(times, value);
}

// How many positions a window has along an axis.
int64_t Windows(int64_t size, const PoolOptions& window) {
  int64_t room = size + 2 * window.padding - window.kernel;
  CHECK(room >= 0) << "a window of " << window.kernel << " over " << size;
  if (window.ceil) room += window.stride - 1;
  return room / window.stride + 1;
}

std::vector<int64_t> Slide(const Value& x, int64_t channels,
                           const PoolOptions& window) {
  CHECK(x.sizes.size() >= 2) << x.name << " has no axis to slide along";
  std::vector<int64_t> sizes{channels};
  for (size_t axis = 1; axis < x.sizes.size(); ++axis)
    sizes.push_back(Windows(x.sizes[axis], window));
  return sizes;
}

}  // namespace

NetworkBuilder::NetworkBuilder(std::string name,
                               std::vector<int64_t> input_sizes,
                               ElementType input_type)
    : name_(std::move(name)),
      input_{.name = "input", .sizes = std::move(input_sizes)},
      input_type_(input_type) {
  Elements(input_.sizes);
}

// "conv_12": unique in the network, and stable because weights are seeded by
// their names.
std::string NetworkBuilder::NextName(const std::string& op) {
  std::string name = op;
  std::ranges::transform(name, name.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  return name + "_" + std::to_string(names_++);
}

Value NetworkBuilder::Emit(const std::string& op,
                           std::vector<std::string> inputs, Shaped output,
                           std::vector<Attribute> attributes) {
  std::string name = NextName(op);
  std::vector<std::string> outputs(output.position);
  outputs.push_back(name);
  draft_.graph.nodes.push_back({.name = name,
                                .op = op,
                                .inputs = std::move(inputs),
                                .outputs = std::move(outputs),
                                .attributes = std::move(attributes)});
  return {
      .name = name, .sizes = std::move(output.sizes), .power = output.power};
}

std::string NetworkBuilder::Weight(const std::string& name,
                                   std::vector<int64_t> sizes, Fill fill) {
  weights_ += Elements(sizes);
  draft_.fills.emplace(name, fill);
  draft_.graph.constants.push_back(
      {.name = name, .type = ElementType::kFloat, .sizes = std::move(sizes)});
  return name;
}

std::string NetworkBuilder::Integers(const std::vector<int64_t>& content) {
  std::string name = NextName("integers");
  draft_.graph.constants.push_back(
      {.name = name,
       .type = ElementType::kInt64,
       .sizes = {static_cast<int64_t>(content.size())},
       .integers = content});
  return name;
}

std::string NetworkBuilder::Real(double content) {
  std::string name = NextName("real");
  draft_.graph.constants.push_back(
      {.name = name, .type = ElementType::kFloat, .reals = {content}});
  return name;
}

Value NetworkBuilder::Conv(const Value& x, const ConvOptions& options) {
  CHECK(x.channels() % options.groups == 0 &&
        options.channels % options.groups == 0)
      << x.channels() << " to " << options.channels << " channels in "
      << options.groups << " groups";
  const size_t axes = x.sizes.size() - 1;
  const int64_t padding = options.padding.value_or((options.kernel - 1) / 2);
  std::vector<int64_t> sizes = Slide(
      x, options.channels,
      {.kernel = options.kernel, .stride = options.stride, .padding = padding});
  std::vector<int64_t> filter = Repeat(options.kernel, axes + 2);
  filter[0] = options.channels;
  filter[1] = x.channels() / options.groups;
  const int64_t fan_in =
      static_cast<int64_t>(Elements(filter)) / options.channels;
  macs_ += Elements(sizes) * static_cast<uint64_t>(fan_in);

  const std::string name = NextName("weights");
  std::vector<std::string> inputs{
      x.name, Weight(name + ".weight", filter, FillFor(fan_in, x.power))};
  if (options.bias) {
    inputs.push_back(
        Weight(name + ".bias", {options.channels}, UniformFill{kBiasBound}));
  }
  return Emit("Conv", std::move(inputs), {sizes},
              {{"dilations", Repeat(1, axes)},
               {"group", options.groups},
               {"kernel_shape", Repeat(options.kernel, axes)},
               {"pads", Repeat(padding, 2 * axes)},
               {"strides", Repeat(options.stride, axes)}});
}

Value NetworkBuilder::BatchNorm(const Value& x) {
  const std::string name = NextName("statistics");
  const std::vector<int64_t> sizes{x.channels()};
  return Emit("BatchNormalization",
              {x.name, Weight(name + ".scale", sizes, ConstantFill{1}),
               Weight(name + ".bias", sizes, ConstantFill{0}),
               Weight(name + ".mean", sizes, ConstantFill{0}),
               Weight(name + ".variance", sizes, ConstantFill{1})},
              {x.sizes, x.power}, {{"epsilon", 1e-5}});
}

Value NetworkBuilder::LayerNorm(const Value& x) {
  const std::string name = NextName("norm");
  const std::vector<int64_t> sizes{x.sizes.back()};
  return Emit("LayerNormalization",
              {x.name, Weight(name + ".scale", sizes, ConstantFill{1}),
               Weight(name + ".bias", sizes, ConstantFill{0})},
              {x.sizes}, {{"axis", int64_t{-1}}, {"epsilon", 1e-5}});
}

// The factors are E[f(z)^2] for a standard normal z.
Value NetworkBuilder::Activate(const Value& x, Activation activation) {
  switch (activation) {
    case Activation::kNone:
      return x;
    case Activation::kRelu:
      return Emit("Relu", {x.name}, {x.sizes, x.power * 0.5});
    case Activation::kRelu6:
      return Emit("Clip", {x.name, Real(0), Real(6)}, {x.sizes, x.power * 0.5});
    case Activation::kSilu: {
      Value gate = Emit("Sigmoid", {x.name}, {x.sizes});
      return Emit("Mul", {x.name, gate.name}, {x.sizes, x.power * 0.36});
    }
    case Activation::kHardSwish:
      return Emit("HardSwish", {x.name}, {x.sizes, x.power * 0.34});
    case Activation::kTanh:
      return Emit("Tanh", {x.name}, {x.sizes, 0.39});
    case Activation::kGelu: {
      // x/2 * (1 + erf(x / sqrt 2)), as exporters write it below opset 20.
      Value scaled =
          Emit("Div", {x.name, Real(std::sqrt(2.0))}, {x.sizes, x.power});
      Value erf = Emit("Erf", {scaled.name}, {x.sizes});
      Value raised = Emit("Add", {erf.name, Real(1)}, {x.sizes});
      Value gated = Emit("Mul", {x.name, raised.name}, {x.sizes});
      return Emit("Mul", {gated.name, Real(0.5)}, {x.sizes, x.power * 0.43});
    }
  }
  CHECK(false) << "unknown activation";
  return x;
}

Value NetworkBuilder::Sigmoid(const Value& x) {
  return Emit("Sigmoid", {x.name}, {x.sizes, 0.29});
}

Value NetworkBuilder::Pool(const std::string& op, const Value& x,
                           const PoolOptions& options, double power) {
  const size_t axes = x.sizes.size() - 1;
  return Emit(op, {x.name}, {Slide(x, x.channels(), options), power},
              {{"ceil_mode", int64_t{options.ceil}},
               {"kernel_shape", Repeat(options.kernel, axes)},
               {"pads", Repeat(options.padding, 2 * axes)},
               {"strides", Repeat(options.stride, axes)}});
}

// The factors of the pools assume rectified, weakly correlated neighbours.
Value NetworkBuilder::MaxPool(const Value& x, const PoolOptions& options) {
  return Pool("MaxPool", x, options, x.power * 3);
}

Value NetworkBuilder::AveragePool(const Value& x, const PoolOptions& options) {
  return Pool("AveragePool", x, options, x.power * 0.5);
}

Value NetworkBuilder::GlobalPool(const Value& x) {
  std::vector<int64_t> sizes = Repeat(1, x.sizes.size());
  sizes.front() = x.channels();
  return Emit("GlobalAveragePool", {x.name}, {sizes, x.power * 0.4});
}

Value NetworkBuilder::Flatten(const Value& x) {
  return Emit("Flatten", {x.name},
              {{static_cast<int64_t>(Elements(x.sizes))}, x.power},
              {{"axis", int64_t{1}}});
}

Value NetworkBuilder::Linear(const Value& x, int64_t features) {
  const int64_t fan_in = x.sizes.back();
  const UniformFill fill = FillFor(fan_in, x.power);
  const std::string name = NextName("weights");
  std::vector<int64_t> sizes = x.sizes;
  sizes.back() = features;
  macs_ += Elements(sizes) * static_cast<uint64_t>(fan_in);
  if (x.sizes.size() == 1) {
    return Emit("Gemm",
                {x.name, Weight(name + ".weight", {features, fan_in}, fill),
                 Weight(name + ".bias", {features}, UniformFill{kBiasBound})},
                {sizes}, {{"transB", int64_t{1}}});
  }
  Value product = Emit(
      "MatMul", {x.name, Weight(name + ".weight", {fan_in, features}, fill)},
      {sizes});
  return Emit("Add",
              {product.name,
               Weight(name + ".bias", {features}, UniformFill{kBiasBound})},
              {sizes});
}

Value NetworkBuilder::Add(const Value& a, const Value& b) {
  CHECK(a.sizes == b.sizes) << a.name << " and " << b.name << " differ";
  return Emit("Add", {a.name, b.name}, {a.sizes, a.power + b.power});
}

Value NetworkBuilder::Multiply(const Value& x, const Value& gate) {
  CHECK(x.sizes.size() == gate.sizes.size())
      << x.name << " and " << gate.name << " differ in rank";
  return Emit("Mul", {x.name, gate.name}, {x.sizes, x.power * gate.power});
}

Value NetworkBuilder::Concat(const std::vector<Value>& values) {
  Shaped output{values.front().sizes, 0};
  output.sizes.front() = 0;
  std::vector<std::string> inputs;
  for (const Value& value : values) {
    CHECK(std::equal(value.sizes.begin() + 1, value.sizes.end(),
                     output.sizes.begin() + 1, output.sizes.end()))
        << value.name << " does not fit the others";
    output.sizes.front() += value.channels();
    output.power = std::max(output.power, value.power);
    inputs.push_back(value.name);
  }
  return Emit("Concat", std::move(inputs), std::move(output),
              {{"axis", int64_t{1}}});
}

void NetworkBuilder::SetDomain(const OperatorSet& set) {
  draft_.graph.nodes.back().domain = set.domain;
  for (const OperatorSet& known : draft_.other_operator_sets) {
    if (known.domain == set.domain) return;
  }
  draft_.other_operator_sets.push_back(set);
}

NetworkDraft NetworkBuilder::Finish(const Value& output, uint64_t seed) && {
  draft_.graph.name = name_;
  draft_.graph.inputs = {{input_.name, {input_type_, WithBatch(input_.sizes)}}};
  draft_.graph.outputs = {
      {output.name, {ElementType::kFloat, WithBatch(output.sizes)}}};
  draft_.seed = seed;
  return std::move(draft_);
}

}  // namespace mete
