#include "describe/function_inlining.h"

#include <fmt/format.h>

#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace mete {
namespace {

// Functions that call functions twice over grow exponentially; no exporter
// comes near these limits.
constexpr int kMaxDepth = 64;
constexpr uint64_t kMaxWork = 500'000;

using Renaming = std::unordered_map<std::string, std::string>;

// A name of the body as it is called outside.
std::string Renamed(const std::string& name, const Renaming& renaming) {
  auto found = renaming.find(name);
  return found == renaming.end() ? name : found->second;
}

using Functions =
    std::map<std::pair<std::string, std::string>, const GraphFunction*>;

// How many nodes calls expand to, found without expanding them.
class ExpandedSizes {
 public:
  explicit ExpandedSizes(const Functions& functions) : functions_(functions) {}

  Result<uint64_t> Of(const std::vector<Node>& nodes) {
    uint64_t total = 0;
    for (const Node& node : nodes) {
      ASSIGN_OR_RETURN(uint64_t size, OfNode(node));
      total += size;
      if (total > kMaxWork) {
        return Corrupt("its functions expand to absurdly many nodes");
      }
    }
    return total;
  }

 private:
  Result<uint64_t> OfNode(const Node& node) {
    auto found = functions_.find({node.domain, node.op});
    if (found != functions_.end()) return OfFunction(*found->second);
    uint64_t size = 1;
    for (const Attribute& attribute : node.attributes) {
      // Contents are copied with their nodes, so they count too.
      if (auto* constant = std::get_if<Constant>(&attribute.value)) {
        size += (constant->integers.size() + constant->reals.size()) / 32;
      }
      auto* graphs = std::get_if<std::vector<Graph>>(&attribute.value);
      if (graphs == nullptr) continue;
      for (const Graph& graph : *graphs) {
        ASSIGN_OR_RETURN(uint64_t inside, Of(graph.nodes));
        size += inside;
      }
    }
    return size;
  }

  Result<uint64_t> OfFunction(const GraphFunction& function) {
    if (auto known = sizes_.find(&function); known != sizes_.end()) {
      return known->second;
    }
    if (depth_ == kMaxDepth) {
      return Corrupt(
          fmt::format("function '{}' calls itself or nests too "
                      "deeply",
                      function.name));
    }
    ++depth_;
    auto size = Of(function.nodes);
    --depth_;
    // A call counts even when its body is empty.
    if (size.ok()) sizes_[&function] = *size + 1;
    return size;
  }

  const Functions& functions_;
  std::unordered_map<const GraphFunction*, uint64_t> sizes_;
  int depth_ = 0;
};

class Inliner {
 public:
  explicit Inliner(const Functions& functions) : functions_(functions) {}

  void Expand(Graph& graph) {
    std::vector<Node> nodes = std::exchange(graph.nodes, {});
    ExpandInto(std::move(nodes), graph.nodes);
  }

 private:
  void ExpandInto(std::vector<Node> nodes, std::vector<Node>& out) {
    for (Node& node : nodes) {
      auto found = functions_.find({node.domain, node.op});
      if (found != functions_.end()) {
        ExpandInto(BodyOf(node, *found->second), out);
        continue;
      }
      ExpandSubgraphs(node);
      out.push_back(std::move(node));
    }
  }

  void ExpandSubgraphs(Node& node) {
    for (Attribute& attribute : node.attributes) {
      auto* graphs = std::get_if<std::vector<Graph>>(&attribute.value);
      if (graphs == nullptr) continue;
      for (Graph& graph : *graphs) Expand(graph);
    }
  }

  // The function's nodes with names and attributes of this call.
  std::vector<Node> BodyOf(const Node& call, const GraphFunction& function) {
    std::string prefix = fmt::format("{}#{}/", function.name, ++calls_);
    Renaming renaming;
    std::unordered_set<std::string_view> inner;  // not named by the caller
    for (const Node& node : function.nodes) {
      for (const std::string& output : node.outputs) {
        if (output.empty()) continue;
        renaming[output] = prefix + output;
        inner.insert(output);
      }
    }
    for (size_t i = 0; i < function.inputs.size(); ++i) {
      renaming[function.inputs[i]] =
          i < call.inputs.size() ? call.inputs[i] : "";
    }
    std::vector<Node> handed_through;
    for (size_t i = 0; i < function.outputs.size(); ++i) {
      if (i >= call.outputs.size() || call.outputs[i].empty()) continue;
      const std::string& name = function.outputs[i];
      if (inner.erase(name) > 0) {
        renaming[name] = call.outputs[i];
        continue;
      }
      // An output that is an input, or is named twice, needs a copy.
      handed_through.push_back({.op = "Identity",
                                .inputs = {Renamed(name, renaming)},
                                .outputs = {call.outputs[i]}});
    }
    std::vector<Node> body;
    for (const Node& node : function.nodes) {
      body.push_back(Adapted(node, call, function, renaming));
      if (!call.name.empty()) {
        body.back().name = call.name + "/" + body.back().name;
      }
    }
    for (Node& node : handed_through) body.push_back(std::move(node));
    return body;
  }

  Node Adapted(const Node& node, const Node& call,
               const GraphFunction& function, const Renaming& renaming) {
    Node copy = node;
    for (std::string& name : copy.inputs) name = Renamed(name, renaming);
    for (std::string& name : copy.outputs) name = Renamed(name, renaming);
    copy.attributes.clear();
    for (const Attribute& attribute : node.attributes) {
      Attribute adapted = attribute;
      if (!Resolve(adapted, call, function)) continue;
      if (auto* graphs = std::get_if<std::vector<Graph>>(&adapted.value)) {
        for (Graph& graph : *graphs) {
          AdaptGraph(graph, call, function, renaming);
        }
      }
      copy.attributes.push_back(std::move(adapted));
    }
    return copy;
  }

  // Replaces a reference by the caller's attribute or by its default. False:
  // neither exists, the attribute is left out.
  static bool Resolve(Attribute& attribute, const Node& call,
                      const GraphFunction& function) {
    auto* reference = std::get_if<AttributeReference>(&attribute.value);
    if (reference == nullptr) return true;
    const Attribute* given = call.Find(reference->name);
    for (const Attribute& preset : function.defaults) {
      if (given == nullptr && preset.name == reference->name) given = &preset;
    }
    if (given == nullptr) return false;
    auto value = given->value;
    attribute.value = std::move(value);
    return true;
  }

  void AdaptGraph(Graph& graph, const Node& call, const GraphFunction& function,
                  Renaming renaming) {
    // Names of the subgraph's own hide those of the function.
    for (const GraphValue& input : graph.inputs) renaming.erase(input.name);
    for (const Constant& constant : graph.constants) {
      renaming.erase(constant.name);
    }
    for (const Node& node : graph.nodes) {
      for (const std::string& output : node.outputs) renaming.erase(output);
    }
    for (GraphValue& output : graph.outputs) {
      output.name = Renamed(output.name, renaming);
    }
    for (Node& node : graph.nodes) {
      node = Adapted(node, call, function, renaming);
    }
  }

  const Functions& functions_;
  uint64_t calls_ = 0;
};

}  // namespace

Result<Graph> InlineFunctions(const Network& network) {
  Functions functions;
  for (const GraphFunction& function : network.functions) {
    functions.emplace(std::pair(function.domain, function.name), &function);
  }
  RETURN_IF_ERROR(ExpandedSizes(functions).Of(network.graph.nodes));
  Graph graph = network.graph;
  Inliner(functions).Expand(graph);
  return graph;
}

}  // namespace mete
