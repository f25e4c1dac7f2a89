#include "adapters/onnx/graph_reader_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "adapters/onnx/graph_reader_attribute.h"
#include "adapters/onnx/graph_reader_tensor.h"
#include "adapters/onnx/graph_reader_types.h"

namespace mete {
namespace {

// Real networks nest an If in a Loop in an If; the limit keeps malicious files
// from exhausting the stack.
constexpr int kMaxDepth = 32;

// Initializers may also be listed as inputs: then they are default values.
void DropInitializedInputs(Graph& graph) {
  std::unordered_set<std::string_view> constants;
  for (const Constant& constant : graph.constants) {
    constants.insert(constant.name);
  }
  std::erase_if(graph.inputs, [&](const GraphValue& input) {
    return constants.contains(input.name);
  });
}

Status AppendName(const WireReader& message, const WireField& field,
                  std::vector<std::string>& names) {
  ASSIGN_OR_RETURN(std::string name, message.Text(field));
  names.push_back(std::move(name));
  return {};
}

}  // namespace

std::string CanonicalDomain(std::string domain) {
  return domain == "ai.onnx" ? "" : domain;
}

Status GraphMessageReader::ReadGraph(const WireReader& message, Graph& graph) {
  if (depth_ == kMaxDepth) {
    return Corrupt(
        fmt::format("subgraphs are nested deeper than {}", kMaxDepth));
  }
  ++depth_;
  Status status = ForEachField(message, [&](const WireField& field) {
    return ReadGraphField(message, field, graph);
  });
  --depth_;
  RETURN_IF_ERROR(std::move(status));
  DropInitializedInputs(graph);
  return {};
}

Status GraphMessageReader::CountNode() {
  if (++nodes_ <= limits_.most_nodes) return {};
  return Corrupt(
      fmt::format("it has more than {} nodes, the limit for this file",
                  limits_.most_nodes));
}

Status GraphMessageReader::CountPart() {
  if (++parts_ <= limits_.most_parts) return {};
  return Corrupt(fmt::format(
      "it has more than {} names, attributes and values together, the "
      "limit for this file",
      limits_.most_parts));
}

Status GraphMessageReader::ReadGraphField(const WireReader& message,
                                          const WireField& field,
                                          Graph& graph) {
  RETURN_IF_ERROR(CountPart());
  auto inside = [&] { return message.Inside(field); };
  switch (field.number) {
    case 1: {
      ASSIGN_OR_RETURN(WireReader inner, inside());
      ASSIGN_OR_RETURN(Node node, ReadNode(inner));
      graph.nodes.push_back(std::move(node));
      return {};
    }
    case 2: {
      ASSIGN_OR_RETURN(graph.name, message.Text(field));
      return {};
    }
    case 5:
    case 15: {
      ASSIGN_OR_RETURN(WireReader inner, inside());
      ASSIGN_OR_RETURN(Constant constant,
                       field.number == 5 ? ReadTensor(inner, folder_)
                                         : ReadSparseTensor(inner, folder_));
      if (constant.name.empty()) return Corrupt("an initializer has no name");
      graph.constants.push_back(std::move(constant));
      return {};
    }
    case 11:
    case 12:
    case 13: {
      ASSIGN_OR_RETURN(WireReader inner, inside());
      ASSIGN_OR_RETURN(GraphValue value, ReadValueInfo(inner));
      auto& values = field.number == 11   ? graph.inputs
                     : field.number == 12 ? graph.outputs
                                          : graph.values;
      values.push_back(std::move(value));
      return {};
    }
    default:
      return {};
  }
}

Result<Node> GraphMessageReader::ReadNode(const WireReader& message) {
  RETURN_IF_ERROR(CountNode());
  Node node;
  Status status = ForEachField(message, [&](const WireField& field) -> Status {
    RETURN_IF_ERROR(CountPart());
    switch (field.number) {
      case 1:
        return AppendName(message, field, node.inputs);
      case 2:
        return AppendName(message, field, node.outputs);
      case 3: {
        ASSIGN_OR_RETURN(node.name, message.Text(field));
        return {};
      }
      case 4: {
        ASSIGN_OR_RETURN(node.op, message.Text(field));
        return {};
      }
      case 5: {
        ASSIGN_OR_RETURN(WireReader inner, message.Inside(field));
        ASSIGN_OR_RETURN(Attribute attribute, ReadAttribute(inner));
        node.attributes.push_back(std::move(attribute));
        return {};
      }
      case 7: {
        ASSIGN_OR_RETURN(node.domain, message.Text(field));
        return {};
      }
      default:
        return {};
    }
  });
  RETURN_IF_ERROR(std::move(status).While(
      node.name.empty() ? "a node" : fmt::format("node '{}'", node.name)));
  if (node.op.empty()) return Corrupt("a node has no operator");
  node.domain = CanonicalDomain(std::move(node.domain));
  return node;
}

Result<Attribute> GraphMessageReader::ReadAttribute(const WireReader& message) {
  AttributeParts parts;
  Status status = ForEachField(message, [&](const WireField& field) -> Status {
    if (field.number != AttributeParts::kGraph &&
        field.number != AttributeParts::kGraphs) {
      return parts.Add(message, field, folder_);
    }
    ASSIGN_OR_RETURN(WireReader inner, message.Inside(field));
    Graph graph;
    RETURN_IF_ERROR(ReadGraph(inner, graph));
    parts.AddGraph(std::move(graph));
    return {};
  });
  RETURN_IF_ERROR(std::move(status));
  return parts.Take();
}

Result<GraphFunction> GraphMessageReader::ReadFunction(
    const WireReader& message) {
  GraphFunction function;
  RETURN_IF_ERROR(ForEachField(message, [&](const WireField& field) -> Status {
    if (Status counted = CountPart(); !counted.ok()) return counted;
    switch (field.number) {
      case 1: {
        ASSIGN_OR_RETURN(function.name, message.Text(field));
        return {};
      }
      case 4:
        return AppendName(message, field, function.inputs);
      case 5:
        return AppendName(message, field, function.outputs);
      case 7: {
        ASSIGN_OR_RETURN(WireReader inner, message.Inside(field));
        ASSIGN_OR_RETURN(Node node, ReadNode(inner));
        function.nodes.push_back(std::move(node));
        return {};
      }
      case 10: {
        ASSIGN_OR_RETURN(function.domain, message.Text(field));
        return {};
      }
      case 11: {
        ASSIGN_OR_RETURN(WireReader inner, message.Inside(field));
        ASSIGN_OR_RETURN(Attribute attribute, ReadAttribute(inner));
        function.defaults.push_back(std::move(attribute));
        return {};
      }
      default:
        return {};
    }
  }));
  if (function.name.empty()) return Corrupt("a function has no name");
  function.domain = CanonicalDomain(std::move(function.domain));
  return function;
}

}  // namespace mete
