#include "adapters/onnx/graph_reader_order.h"

#include <fmt/format.h>

#include <functional>
#include <queue>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace mete {
namespace {

std::string Named(const Node& node) {
  return node.name.empty() ? fmt::format("a {} node", node.op)
                           : fmt::format("node '{}' ({})", node.name, node.op);
}

// Maps each name of a graph to its producer: the position of a node, or kGiven
// for inputs and constants.
class Producers {
 public:
  static constexpr size_t kGiven = SIZE_MAX;

  Status Add(std::string_view name, size_t producer) {
    if (!places_.emplace(name, producer).second) {
      return Corrupt(fmt::format("value '{}' is produced twice", name));
    }
    return {};
  }
  Status AddNodes(const std::vector<Node>& nodes) {
    for (size_t i = 0; i < nodes.size(); ++i) {
      for (const std::string& output : nodes[i].outputs) {
        if (!output.empty()) RETURN_IF_ERROR(Add(output, i));
      }
    }
    return {};
  }
  // Null when this graph does not define the name.
  const size_t* Find(std::string_view name) const {
    auto found = places_.find(name);
    return found == places_.end() ? nullptr : &found->second;
  }

 private:
  std::unordered_map<std::string_view, size_t> places_;
};

// Walks back from a node that is never ready until a node repeats: that one is
// on a cycle.
const Node& NodeOnCycle(const std::vector<Node>& nodes,
                        const Producers& producers,
                        const std::vector<size_t>& waiting_for) {
  size_t place = 0;
  while (waiting_for[place] == 0) ++place;
  std::unordered_set<size_t> seen;
  while (seen.insert(place).second) {
    for (const std::string& name : NamesReadBy(nodes[place])) {
      const size_t* producer = producers.Find(name);
      if (producer != nullptr && *producer != Producers::kGiven &&
          waiting_for[*producer] > 0) {
        place = *producer;
        break;
      }
    }
  }
  return nodes[place];
}

// Kahn's algorithm. Always takes the earliest node that is ready, so a sorted
// graph does not change.
Status Sort(std::vector<Node>& nodes, const Producers& producers) {
  std::vector<size_t> waiting_for(nodes.size(), 0);
  std::vector<std::vector<size_t>> readers(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (const std::string& name : NamesReadBy(nodes[i])) {
      const size_t* producer = producers.Find(name);
      if (producer == nullptr || *producer == Producers::kGiven) continue;
      ++waiting_for[i];
      readers[*producer].push_back(i);
    }
  }
  std::priority_queue<size_t, std::vector<size_t>, std::greater<>> ready;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (waiting_for[i] == 0) ready.push(i);
  }
  std::vector<size_t> order;
  while (!ready.empty()) {
    size_t place = ready.top();
    ready.pop();
    order.push_back(place);
    for (size_t reader : readers[place]) {
      if (--waiting_for[reader] == 0) ready.push(reader);
    }
  }
  if (order.size() < nodes.size()) {
    return Corrupt(
        fmt::format("the graph has a cycle through {}",
                    Named(NodeOnCycle(nodes, producers, waiting_for))));
  }
  std::vector<Node> sorted;
  sorted.reserve(nodes.size());
  for (size_t place : order) sorted.push_back(std::move(nodes[place]));
  nodes = std::move(sorted);
  return {};
}

Status ResolveSubgraphs(std::vector<Node>& nodes);

// Names that cannot be resolved here must come from an outer graph; the
// outermost level checks that none is left.
Status ResolveGraph(Graph& graph) {
  Producers producers;
  for (const GraphValue& input : graph.inputs) {
    RETURN_IF_ERROR(producers.Add(input.name, Producers::kGiven));
  }
  for (const Constant& constant : graph.constants) {
    RETURN_IF_ERROR(producers.Add(constant.name, Producers::kGiven));
  }
  RETURN_IF_ERROR(producers.AddNodes(graph.nodes));
  RETURN_IF_ERROR(ResolveSubgraphs(graph.nodes));
  return Sort(graph.nodes, producers);
}

Status ResolveSubgraphs(std::vector<Node>& nodes) {
  for (Node& node : nodes) {
    for (Attribute& attribute : node.attributes) {
      auto* graphs = std::get_if<std::vector<Graph>>(&attribute.value);
      if (graphs == nullptr) continue;
      for (Graph& graph : *graphs) {
        RETURN_IF_ERROR(ResolveGraph(graph).While(Named(node)));
      }
    }
  }
  return {};
}

// Reports the first node that reads a name without a producer.
Status CheckAllProduced(const std::vector<Node>& nodes,
                        const Producers& producers) {
  for (const Node& node : nodes) {
    for (const std::string& name : NamesReadBy(node)) {
      if (producers.Find(name) == nullptr) {
        return Corrupt(fmt::format("{} reads '{}', which nothing produces",
                                   Named(node), name));
      }
    }
  }
  return {};
}

Status ResolveFunction(GraphFunction& function) {
  Producers producers;
  for (const std::string& input : function.inputs) {
    RETURN_IF_ERROR(producers.Add(input, Producers::kGiven));
  }
  RETURN_IF_ERROR(producers.AddNodes(function.nodes));
  RETURN_IF_ERROR(CheckAllProduced(function.nodes, producers));
  for (const std::string& output : function.outputs) {
    if (producers.Find(output) == nullptr) {
      return Corrupt(fmt::format("nothing produces the output '{}'", output));
    }
  }
  RETURN_IF_ERROR(ResolveSubgraphs(function.nodes));
  return Sort(function.nodes, producers);
}

}  // namespace

Status ResolveNames(Network& network) {
  Graph& graph = network.graph;
  RETURN_IF_ERROR(ResolveGraph(graph));
  std::vector<std::string> missing = NamesTakenBy(graph);
  if (!missing.empty()) {
    for (const Node& node : graph.nodes) {
      for (const std::string& name : NamesReadBy(node)) {
        if (name != missing[0]) continue;
        return Corrupt(fmt::format("{} reads '{}', which nothing produces",
                                   Named(node), name));
      }
    }
    return Corrupt(fmt::format("nothing produces the output '{}'", missing[0]));
  }
  for (GraphFunction& function : network.functions) {
    RETURN_IF_ERROR(ResolveFunction(function).While(
        fmt::format("function '{}'", function.name)));
  }
  return {};
}

}  // namespace mete
