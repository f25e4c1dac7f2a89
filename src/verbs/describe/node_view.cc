#include "describe/node_view.h"

#include <fmt/format.h>

#include <algorithm>

namespace mete {
namespace {

const ValueFacts& Unknown() {
  static const ValueFacts kUnknown;
  return kUnknown;
}

}  // namespace

NodeView::NodeView(const Node& node, std::vector<const ValueFacts*> inputs)
    : node_(&node), inputs_(std::move(inputs)), outputs_(node.outputs.size()) {}

bool NodeView::Has(size_t input) const {
  return input < inputs_.size() && inputs_[input] != nullptr;
}

const ValueFacts& NodeView::In(size_t input) const {
  return Has(input) ? *inputs_[input] : Unknown();
}

const Shape* NodeView::InShape(size_t input) const {
  const ValueFacts& value = In(input);
  return value.shape ? &*value.shape : nullptr;
}

std::optional<std::vector<int64_t>> NodeView::InIntegers(size_t input) const {
  const auto& content = In(input).integers;
  if (!content) return std::nullopt;
  std::vector<int64_t> values;
  values.reserve(content->size());
  for (const auto& element : *content) {
    if (!element) return std::nullopt;
    values.push_back(*element);
  }
  return values;
}

IntegerList NodeView::List(std::string_view attribute, size_t input) const {
  using State = IntegerList::State;
  if (const Attribute* found = node_->Find(attribute)) {
    if (auto* values = std::get_if<std::vector<int64_t>>(&found->value)) {
      return {State::kKnown, *values};
    }
    if (auto* value = std::get_if<int64_t>(&found->value)) {
      return {State::kKnown, {*value}};
    }
    return {State::kUnknown, {}};
  }
  if (!Has(input)) return {};
  auto content = InIntegers(input);
  if (!content) return {State::kUnknown, {}};
  return {State::kKnown, *std::move(content)};
}

std::optional<int64_t> NodeView::InScalar(size_t input) const {
  const auto& content = In(input).integers;
  if (!content || content->size() != 1) return std::nullopt;
  return content->front();
}

const ValueFacts& NodeView::Out(size_t output) const {
  return output < outputs_.size() ? outputs_[output] : Unknown();
}

void NodeView::Set(size_t output, ElementType type,
                   std::optional<Shape> shape) {
  if (output >= outputs_.size()) return;
  outputs_[output].type = type;
  outputs_[output].shape = std::move(shape);
}

void NodeView::SetIntegers(size_t output,
                           std::vector<std::optional<int64_t>> content) {
  if (output < outputs_.size() && content.size() <= kMaxContent) {
    outputs_[output].integers = std::move(content);
  }
}

void NodeView::SetReals(size_t output, std::vector<double> content) {
  if (output < outputs_.size() && content.size() <= kMaxContent) {
    outputs_[output].reals = std::move(content);
  }
}

std::string NodeView::Name() const { return DescribeNode(*node_); }

std::string DescribeNode(const Node& node) {
  if (!node.name.empty()) {
    return fmt::format("node '{}' ({})", node.name, node.op);
  }
  for (const std::string& output : node.outputs) {
    if (!output.empty()) {
      return fmt::format("the {} node with output '{}'", node.op, output);
    }
  }
  return fmt::format("a {} node", node.op);
}

Amount CountElements(const ValueFacts& value) {
  if (!value.shape) return Amount::Open();
  return ComputeSize(*value.shape, 0, value.shape->size());
}

Amount CountBytes(const ValueFacts& value) {
  if (!value.shape) return Amount::Open();
  return ByteCount(value.type, *value.shape);
}

Amount ComputeSize(const Shape& shape, size_t begin, size_t end) {
  Amount product = uint64_t{1};
  for (size_t i = begin; i < std::min(end, shape.size()); ++i) {
    product = product * ComputeSize(shape[i]);
  }
  return product;
}

Amount ComputeSize(const Dimension& dimension) {
  if (!dimension.size || *dimension.size < 0) return Amount::Open();
  return static_cast<uint64_t>(*dimension.size);
}

Error Contradiction(std::string message) { return Corrupt(std::move(message)); }

Result<size_t> NormalizeAxis(int64_t axis, size_t rank) {
  auto signed_rank = static_cast<int64_t>(rank);
  if (axis < -signed_rank || axis >= signed_rank) {
    return Contradiction(fmt::format(
        "axis {} does not exist in a value of rank {}", axis, rank));
  }
  return static_cast<size_t>(axis < 0 ? axis + signed_rank : axis);
}

Shape OpenShape(size_t rank) { return Shape(rank); }

Result<Dimension> DimensionFrom(Wide size) {
  constexpr Wide kLargest = Wide{1} << 62;
  if (size < 0) return Contradiction("a size is negative");
  if (size > kLargest) return Contradiction("a size is too large");
  return Dimension{.size = static_cast<int64_t>(size)};
}

}  // namespace mete
