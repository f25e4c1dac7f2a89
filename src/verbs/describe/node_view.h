// One node together with what is known of the values it reads and gives: what
// operator rules look at and fill in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "describe/amount.h"
#include "domain/graph.h"
#include "support/result.h"

namespace mete {

// Tensors of at most this many elements have their content followed. Enough
// for shapes and for the position lists of transformers.
constexpr uint64_t kMaxContent = 1024;

// What is known of a value before anything runs.
struct ValueFacts {
  ElementType type = ElementType::kUndefined;
  std::optional<Shape> shape;
  // Content of a small integer or bool tensor; elements may be unknown.
  std::optional<std::vector<std::optional<int64_t>>> integers;
  // Content of a small float tensor.
  std::optional<std::vector<double>> reals;
  bool constant = false;  // depends on no input of the network
};

// A list of integers that newer operator sets take as an input and older ones
// as an attribute.
struct IntegerList {
  enum class State { kLeftOut, kUnknown, kKnown };
  State state = State::kLeftOut;
  std::vector<int64_t> values;

  bool known() const { return state == State::kKnown; }
  bool left_out() const { return state == State::kLeftOut; }
};

class NodeView {
 public:
  // Null inputs are left out. Node and inputs outlive the view.
  NodeView(const Node& node, std::vector<const ValueFacts*> inputs);

  const Node& node() const { return *node_; }
  size_t input_count() const { return inputs_.size(); }
  bool Has(size_t input) const;
  // A value of which nothing is known when the input is left out.
  const ValueFacts& In(size_t input) const;
  // Null when even the rank is unknown.
  const Shape* InShape(size_t input) const;
  // The content when every element is known.
  std::optional<std::vector<int64_t>> InIntegers(size_t input) const;
  // An attribute, or else an input, that is a list.
  IntegerList List(std::string_view attribute, size_t input) const;
  // The single element of an input's content.
  std::optional<int64_t> InScalar(size_t input) const;

  size_t output_count() const { return outputs_.size(); }
  const ValueFacts& Out(size_t output) const;
  std::vector<ValueFacts>& outputs() { return outputs_; }
  const std::vector<ValueFacts>& outputs() const { return outputs_; }
  // Ignored when the node has no such output: outputs may be left out.
  void Set(size_t output, ElementType type, std::optional<Shape> shape);
  void SetIntegers(size_t output, std::vector<std::optional<int64_t>> content);
  void SetReals(size_t output, std::vector<double> content);

  // The size of an output depends on what the inputs hold.
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

std::string DescribeNode(const Node& node);

// Elements of a value; open when the shape is.
Amount CountElements(const ValueFacts& value);
Amount CountBytes(const ValueFacts& value);
// Product of the sizes of the axes [begin, end).
Amount ComputeSize(const Shape& shape, size_t begin, size_t end);
Amount ComputeSize(const Dimension& dimension);

// Contradictions in a network: "kernel 7 is larger than its input of 5".
Error Contradiction(std::string message);

// The place of an axis counted from either end. Fails when there is none.
Result<size_t> NormalizeAxis(int64_t axis, size_t rank);
// A shape of which only the rank is known.
Shape OpenShape(size_t rank);

// Results of size arithmetic before they are checked: 64-bit attributes
// multiplied with 64-bit sizes do not overflow.
__extension__ typedef __int128 Wide;
// Fails when the size is negative or absurd.
Result<Dimension> DimensionFrom(Wide size);

}  // namespace mete
