// A network as a graph of operators: the contents of an ONNX file without
// weights.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "domain/tensor.h"

namespace mete {

// A value stored in the file: a weight, a bias, a shape. Only the content of
// small tensors is kept, because shape arithmetic needs it.
struct Constant {
  std::string name;
  ElementType type = ElementType::kUndefined;
  std::vector<int64_t> sizes;  // as written in the file; all >= 0
  uint64_t stored_bytes = 0;   // in the file, or in an external file
  bool sparse = false;         // stored as positions and values of non-zeros
  // Content of integer and bool tensors of at most kKeptElements elements.
  std::vector<int64_t> integers;
  // Content of float32 and float64 tensors of at most kKeptElements elements.
  std::vector<double> reals;

  static constexpr uint64_t kKeptElements = 4096;
};

struct Graph;

// Inside a function: refers to an attribute of the calling node.
struct AttributeReference {
  std::string name;
};

// A named setting of an operator: kernel_shape, axis, the subgraph of a branch.
// A list of more than Constant::kKeptElements is a Constant without content.
struct Attribute {
  std::string name;
  std::variant<std::monostate, int64_t, double, std::string,
               std::vector<int64_t>, std::vector<double>,
               std::vector<std::string>, Constant, std::vector<Graph>,
               AttributeReference>
      value;
};

// One use of an operator. An empty input or output name means "omitted".
struct Node {
  std::string name;
  std::string op;
  std::string domain;  // "" is the standard operator set
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<Attribute> attributes;

  // Null when absent.
  const Attribute* Find(std::string_view attribute) const;
  int64_t Integer(std::string_view attribute, int64_t otherwise) const;
  double Real(std::string_view attribute, double otherwise) const;
  std::string Text(std::string_view attribute, std::string otherwise) const;
  // Empty when absent.
  std::vector<int64_t> Integers(std::string_view attribute) const;
};

// A named value with its type.
struct GraphValue {
  std::string name;
  ValueType type;
};

// A graph, or the subgraph of an If, Loop or Scan. Nodes are in file order.
struct Graph {
  std::string name;
  std::vector<GraphValue> inputs;  // without initializers
  std::vector<GraphValue> outputs;
  std::vector<GraphValue> values;   // shapes stated for inner values
  std::vector<Constant> constants;  // initializers
  std::vector<Node> nodes;
};

// A function defined in the file (ONNX "local functions").
struct GraphFunction {
  std::string name;
  std::string domain;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<Attribute> defaults;  // for attributes that a call omits
  std::vector<Node> nodes;
};

// The names a node reads: its inputs, and the outer names its subgraphs use. No
// empty names; a name may occur more than once.
std::vector<std::string> NamesReadBy(const Node& node);
// Names that a graph uses but does not define itself.
std::vector<std::string> NamesTakenBy(const Graph& graph);

// A version of an operator set that the file uses.
struct OperatorSet {
  std::string domain;  // "" is the standard operator set
  int64_t version = 0;
};

// A complete network file.
struct Network {
  std::string path;
  uint64_t file_bytes = 0;
  std::string sha256;
  int64_t ir_version = 0;
  std::string producer;
  std::vector<OperatorSet> operator_sets;
  std::vector<GraphFunction> functions;
  Graph graph;
};

}  // namespace mete
