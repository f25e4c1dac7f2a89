#include "describe/make_up.h"

#include "describe/constant_value.h"

namespace mete {
namespace {

// Calls `visit` for every node, including those of subgraphs, and `enter` for
// every subgraph.
template <typename Visit, typename Enter>
void ForEachNode(const std::vector<Node>& nodes, const Visit& visit,
                 const Enter& enter) {
  for (const Node& node : nodes) {
    visit(node);
    for (const Attribute& attribute : node.attributes) {
      auto* graphs = std::get_if<std::vector<Graph>>(&attribute.value);
      if (graphs == nullptr) continue;
      for (const Graph& graph : *graphs) {
        enter(graph);
        ForEachNode(graph.nodes, visit, enter);
      }
    }
  }
}

Amount InitializerBytes(const Graph& graph) {
  Amount bytes;
  for (const Constant& constant : graph.constants) {
    bytes += constant.stored_bytes;
  }
  return bytes;
}

Amount BytesIn(const std::vector<Node>& nodes) {
  Amount bytes;
  ForEachNode(
      nodes,
      [&](const Node& node) {
        if (node.op != "Constant" || !node.domain.empty()) return;
        if (auto constant = FindConstant(node)) bytes += constant->stored_bytes;
      },
      [&](const Graph& graph) { bytes += InitializerBytes(graph); });
  return bytes;
}

}  // namespace

std::map<std::string, uint64_t> CountOperators(const Graph& graph) {
  std::map<std::string, uint64_t> operators;
  ForEachNode(
      graph.nodes, [&](const Node& node) { ++operators[node.op]; },
      [](const Graph&) {});
  return operators;
}

Amount WeightBytes(const Network& network) {
  Amount bytes = InitializerBytes(network.graph) + BytesIn(network.graph.nodes);
  for (const GraphFunction& function : network.functions) {
    bytes += BytesIn(function.nodes);
  }
  return bytes;
}

}  // namespace mete
