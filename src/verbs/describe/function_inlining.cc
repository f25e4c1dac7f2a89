#include "describe/function_inlining.h"

#include <fmt/format.h>

#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace mete {
namespace {

// Functions that call functions twice grow exponentially. No exporter comes
// near these limits.
constexpr int kMaxDepth = 64;
constexpr uint64_t kMaxWork = 500'000;

using Renaming = std::unordered_map<std::string, std::string>;

// The name in the calling graph of a name in the body.
std::string Renamed(const std::string& name, const Renaming& renaming) {
  auto found = renaming.find(name);
  return found == renaming.end() ? name : found->second;
}

using Functions =
    std::map<std::pair<std::string, std::string>, const GraphFunction*>;

// The work of copying a node: itself, its contents and its subgraphs.
uint64_t CopyWork(const Node& node);

uint64_t CopyWork(const Attribute& attribute) {
  if (auto* constant = std::get_if<Constant>(&attribute.value)) {
    return (constant->integers.size() + constant->reals.size()) / 32;
  }
  uint64_t work = 0;
  if (auto* graphs = std::get_if<std::vector<Graph>>(&attribute.value)) {
    for (const Graph& graph : *graphs) {
      for (const Node& node : graph.nodes) work += CopyWork(node);
    }
  }
  return work;
}

uint64_t CopyWork(const Node& node) {
  uint64_t work = 1;
  for (const Attribute& attribute : node.attributes) {
    work += CopyWork(attribute);
  }
  return work;
}

class Inliner {
 public:
  explicit Inliner(const Functions& functions) : functions_(functions) {}

  Status Expand(Graph& graph) {
    std::vector<Node> nodes = std::exchange(graph.nodes, {});
    return ExpandInto(std::move(nodes), graph.nodes);
  }

 private:
  Status ExpandInto(std::vector<Node> nodes, std::vector<Node>& out) {
    for (Node& node : nodes) {
      auto found = functions_.find({node.domain, node.op});
      if (found != functions_.end()) {
        RETURN_IF_ERROR(ExpandCall(node, *found->second, out));
        continue;
      }
      RETURN_IF_ERROR(ExpandSubgraphs(node));
      out.push_back(std::move(node));
    }
    return {};
  }

  Status ExpandCall(const Node& call, const GraphFunction& function,
                    std::vector<Node>& out) {
    if (depth_ == kMaxDepth) {
      return Corrupt(fmt::format(
          "function '{}' calls itself or nests too deeply", function.name));
    }
    RETURN_IF_ERROR(Charge(1));  // a call counts even when its body is empty
    ASSIGN_OR_RETURN(std::vector<Node> body, ExpandBody(call, function));
    ++depth_;
    Status status = ExpandInto(std::move(body), out);
    --depth_;
    return status;
  }

  Status ExpandSubgraphs(Node& node) {
    for (Attribute& attribute : node.attributes) {
      auto* graphs = std::get_if<std::vector<Graph>>(&attribute.value);
      if (graphs == nullptr) continue;
      for (Graph& graph : *graphs) RETURN_IF_ERROR(Expand(graph));
    }
    return {};
  }

  // Must be called before anything is copied.
  Status Charge(uint64_t work) {
    work_ += work;
    if (work_ <= kMaxWork) return {};
    return Corrupt("its functions expand to too many nodes");
  }

  // The function's nodes with the names and attributes of this call.
  Result<std::vector<Node>> ExpandBody(const Node& call,
                                       const GraphFunction& function) {
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
      // An output that is also an input, or is named twice, needs a copy.
      handed_through.push_back({.op = "Identity",
                                .inputs = {Renamed(name, renaming)},
                                .outputs = {call.outputs[i]}});
    }
    std::vector<Node> body;
    for (const Node& node : function.nodes) {
      ASSIGN_OR_RETURN(Node adapted, Adapted(node, call, function, renaming));
      body.push_back(std::move(adapted));
      if (!call.name.empty()) {
        body.back().name = call.name + "/" + body.back().name;
      }
    }
    for (Node& node : handed_through) body.push_back(std::move(node));
    return body;
  }

  Result<Node> Adapted(const Node& node, const Node& call,
                       const GraphFunction& function,
                       const Renaming& renaming) {
    RETURN_IF_ERROR(Charge(CopyWork(node)));
    Node copy = node;
    for (std::string& name : copy.inputs) name = Renamed(name, renaming);
    for (std::string& name : copy.outputs) name = Renamed(name, renaming);
    copy.attributes.clear();
    for (const Attribute& attribute : node.attributes) {
      if (auto* reference = std::get_if<AttributeReference>(&attribute.value)) {
        // A graph in an attribute keeps its names, which are the caller's.
        const Attribute* given = Given(reference->name, call, function);
        if (given == nullptr) continue;
        RETURN_IF_ERROR(Charge(CopyWork(*given)));
        copy.attributes.push_back({attribute.name, given->value});
        continue;
      }
      Attribute adapted = attribute;
      if (auto* graphs = std::get_if<std::vector<Graph>>(&adapted.value)) {
        for (Graph& graph : *graphs) {
          RETURN_IF_ERROR(AdaptGraph(graph, call, function, renaming));
        }
      }
      copy.attributes.push_back(std::move(adapted));
    }
    return copy;
  }

  // The attribute that a reference stands for: the caller's or the default.
  // Null when neither exists; the attribute is then omitted.
  static const Attribute* Given(const std::string& name, const Node& call,
                                const GraphFunction& function) {
    if (const Attribute* given = call.Find(name)) return given;
    for (const Attribute& preset : function.defaults) {
      if (preset.name == name) return &preset;
    }
    return nullptr;
  }

  Status AdaptGraph(Graph& graph, const Node& call,
                    const GraphFunction& function, Renaming renaming) {
    // The subgraph's own names hide those of the function.
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
      ASSIGN_OR_RETURN(node, Adapted(node, call, function, renaming));
    }
    return {};
  }

  const Functions& functions_;
  uint64_t calls_ = 0;
  uint64_t work_ = 0;  // copied nodes, including subgraphs and contents
  int depth_ = 0;      // nesting depth of calls
};

}  // namespace

Result<Graph> InlineFunctions(const Network& network) {
  Functions functions;
  for (const GraphFunction& function : network.functions) {
    functions.emplace(std::pair(function.domain, function.name), &function);
  }
  Graph graph = network.graph;
  RETURN_IF_ERROR(Inliner(functions).Expand(graph));
  return graph;
}

}  // namespace mete
