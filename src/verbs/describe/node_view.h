// One node with the facts about its inputs and outputs. Operator rules read and
// fill it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "describe/amount.h"
#include "domain/graph.h"
#include "support/result.h"

namespace mete {

// The content of tensors with at most this many elements is tracked. Enough for
// shapes and for the position lists of transformers.
constexpr uint64_t kMaxContent = 1024;

// What is known about a value before anything runs.
struct ValueFacts {
  ElementType type = ElementType::kUndefined;
  std::optional<Shape> shape;
  // Content of a small integer or bool tensor; elements may be unknown.
  std::optional<std::vector<std::optional<int64_t>>> integers;
  // Content of a small float tensor.
  std::optional<std::vector<double>> reals;
  bool constant = false;  // does not depend on any input of the network
};

// A list of integers. It is an input in newer operator sets and an attribute in
// older ones.
struct IntegerList {
  enum class State { kLeftOut, kUnknown, kKnown };
  State state = State::kLeftOut;
  std::vector<int64_t> values;

  bool known() const { return state == State::kKnown; }
  bool left_out() const { return state == State::kLeftOut; }
};

// A node, the known facts about its inputs, and the facts inferred about its
// outputs.
class NodeView {
 public:
  // Null inputs are omitted ones. Node and inputs must outlive the view.
  NodeView(const Node& node, std::vector<const ValueFacts*> inputs);

  const Node& node() const { return *node_; }
  size_t input_count() const { return inputs_.size(); }
  bool Has(size_t input) const;
  // An omitted input yields a value about which nothing is known.
  const ValueFacts& In(size_t input) const;
  // Null when even the rank is unknown.
  const Shape* InShape(size_t input) const;
  // The content when every element is known.
  std::optional<std::vector<int64_t>> InIntegers(size_t input) const;
  // The list in an attribute or, without that attribute, in an input.
  IntegerList List(std::string_view attribute, size_t input) const;
  // The single element of an input's content.
  std::optional<int64_t> InScalar(size_t input) const;

  size_t output_count() const { return outputs_.size(); }
  const ValueFacts& Out(size_t output) const;
  std::vector<ValueFacts>& outputs() { return outputs_; }
  const std::vector<ValueFacts>& outputs() const { return outputs_; }
  // Does nothing when the node has no such output, since outputs may be
  // omitted.
  void Set(size_t output, ElementType type, std::optional<Shape> shape);
  void SetIntegers(size_t output, std::vector<std::optional<int64_t>> content);
  void SetReals(size_t output, std::vector<double> content);

  // Marks that the size of an output depends on the content of the inputs.
  void MarkDataDependent() { data_dependent_ = true; }
  bool data_dependent() const { return data_dependent_; }

  // "node 'conv1' (Conv)": for messages.
  std::string Name() const;

 private:
  const Node* node_;
  std::vector<const ValueFacts*> inputs_;
  std::vector<ValueFacts> outputs_;
  bool data_dependent_ = false;
};

// The same for a node without a view.
std::string DescribeNode(const Node& node);

// Number of elements of a value. Open when the shape is.
Amount CountElements(const ValueFacts& value);
Amount CountBytes(const ValueFacts& value);
// Product of the sizes of the axes [begin, end).
Amount ComputeSize(const Shape& shape, size_t begin, size_t end);
Amount ComputeSize(const Dimension& dimension);

// An error about a contradiction in a network: "kernel 7 is larger than its
// input of 5".
Error Contradiction(std::string message);

// The index of an axis counted from either end. Fails when there is no such
// axis.
Result<size_t> NormalizeAxis(int64_t axis, size_t rank);
// A shape of which only the rank is known.
Shape OpenShape(size_t rank);

// Size arithmetic before range checks: products of 64-bit attributes and 64-bit
// sizes do not overflow.
__extension__ typedef __int128 Wide;
// Fails when the size is negative or too large.
Result<Dimension> DimensionFrom(Wide size);

}  // namespace mete
