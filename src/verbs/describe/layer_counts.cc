#include "describe/layer_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "describe/amount.h"
#include "describe/constant_value.h"
#include "describe/parameter_positions.h"
#include "describe/tree_ensemble.h"

namespace mete {
namespace {

// A constant of the file, and whether some node uses it as a parameter.
struct StoredConstant {
  Constant constant;
  bool parameter = false;
  std::optional<uint64_t> elements;  // of a packed weight
};

// Constants whose elements make up a value.
using Sources = std::set<size_t>;
// Far beyond real networks: limits the work on a hostile chain of Concat.
constexpr size_t kMaxSources = 1024;

// Which values of a graph consist of constants only. Names of a graph hide
// those of the enclosing graphs.
class SourceScope {
 public:
  explicit SourceScope(const SourceScope* outer) : outer_(outer) {}

  void Set(std::string_view name, Sources sources) {
    known_[name] = std::move(sources);
  }
  // Null when the value depends on an input of the network.
  const Sources* Find(std::string_view name) const {
    for (auto* scope = this; scope != nullptr; scope = scope->outer_) {
      auto found = scope->known_.find(name);
      if (found == scope->known_.end()) continue;
      return found->second.empty() ? nullptr : &found->second;
    }
    return nullptr;
  }

 private:
  const SourceScope* outer_;
  std::unordered_map<std::string_view, Sources> known_;
};

bool IsPool(const Node& node) {
  return node.op.ends_with("Pool") && node.op != "MaxUnpool";
}

bool IsRecurrent(const Node& node) {
  return node.op == "LSTM" || node.op == "GRU" || node.op == "RNN" ||
         node.op == "DynamicQuantizeLSTM";
}

class LayerCounter {
 public:
  LayerCounts Count(const Graph& graph) {
    CountGraph(graph, nullptr);
    Amount parameters = in_trees_;
    for (const StoredConstant& stored : constants_) {
      if (!stored.parameter) continue;
      parameters += stored.elements ? stored.elements
                                    : ElementCount(stored.constant.sizes);
    }
    counts_.parameters = parameters.value();
    counts_.filters = filters_.value();
    return counts_;
  }

 private:
  // Returns the sources of the graph's outputs.
  std::vector<Sources> CountGraph(const Graph& graph,
                                  const SourceScope* outer) {
    SourceScope scope(outer);
    for (const GraphValue& input : graph.inputs) scope.Set(input.name, {});
    for (const Constant& constant : graph.constants) {
      scope.Set(constant.name, {Store(constant)});
    }
    for (const Node& node : graph.nodes) CountNode(node, scope);
    std::vector<Sources> outputs;
    for (const GraphValue& output : graph.outputs) {
      const Sources* sources = scope.Find(output.name);
      outputs.push_back(sources == nullptr ? Sources{} : *sources);
    }
    return outputs;
  }

  size_t Store(Constant constant) {
    constant.integers.clear();
    constant.reals.clear();
    constants_.push_back({.constant = std::move(constant)});
    return constants_.size() - 1;
  }

  // The quantized weight that a formula multiplies by its scale or shifts by
  // its zero point: one number each. Null for other nodes.
  const Sources* FindDequantized(const Node& node, const SourceScope& scope) {
    bool formula = node.op == "Mul" || node.op == "Add" || node.op == "Sub";
    if (!formula || node.inputs.size() != 2) return nullptr;
    const Sources* first = scope.Find(node.inputs[0]);
    const Sources* second = scope.Find(node.inputs[1]);
    if (first == nullptr || second == nullptr) return nullptr;
    if (AreWeights(*first) && AreNumbers(*second)) return first;
    if (AreWeights(*second) && AreNumbers(*first)) return second;
    return nullptr;
  }

  bool AreWeights(const Sources& sources) const {
    return std::ranges::all_of(sources, [this](size_t source) {
      const Constant& constant = constants_[source].constant;
      return (constant.type == ElementType::kInt8 ||
              constant.type == ElementType::kUint8) &&
             constant.sizes.size() > 1;
    });
  }

  bool AreNumbers(const Sources& sources) const {
    return std::ranges::all_of(sources, [this](size_t source) {
      return std::ranges::all_of(constants_[source].constant.sizes,
                                 [](int64_t size) { return size == 1; });
    });
  }

  void CountNode(const Node& node, SourceScope& scope) {
    for (const std::string& output : node.outputs) scope.Set(output, {});
    if (node.op == "Constant" && node.domain.empty()) {
      auto constant = FindConstant(node);
      if (constant && !node.outputs.empty()) {
        scope.Set(node.outputs[0], {Store(*std::move(constant))});
      }
      return;
    }
    if (const Sources* weight = FindDequantized(node, scope)) {
      const Sources sources = *weight;
      for (const std::string& output : node.outputs) scope.Set(output, sources);
      return;
    }
    CountKind(node, scope);
    CountInside(node, scope);
    Sources passed;
    bool whole = true;  // the output consists of constants only
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      bool passes = PassesOn(node, i);
      const Sources* sources = scope.Find(node.inputs[i]);
      if (passes && sources == nullptr) whole = false;
      if (passes && sources != nullptr) passed.merge(Sources(*sources));
    }
    // A Gather from a constant table by an input is an embedding.
    if (node.op == "Gather" && node.inputs.size() > 1) {
      whole = whole && scope.Find(node.inputs[1]) != nullptr;
    }
    bool moves = whole && !passed.empty() && passed.size() <= kMaxSources;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      if (!moves || !PassesOn(node, i)) MarkParameters(node, i, scope);
    }
    if (!moves) return;
    for (const std::string& output : node.outputs) scope.Set(output, passed);
  }

  void MarkParameters(const Node& node, size_t input,
                      const SourceScope& scope) {
    const Sources* sources = scope.Find(node.inputs[input]);
    if (sources == nullptr) return;
    for (size_t source : *sources) {
      StoredConstant& stored = constants_[source];
      if (!IsParameter(node, input, stored.constant)) continue;
      stored.parameter = true;
      if (node.op != "MatMulNBits" || input != 1) continue;
      // Several weights share a byte.
      stored.elements = (Amount(static_cast<uint64_t>(node.Integer("K", 0))) *
                         static_cast<uint64_t>(node.Integer("N", 0)))
                            .value();
    }
  }

  void CountKind(const Node& node, const SourceScope& scope) {
    if (IsTreeEnsemble(node)) {
      auto ensemble = MeasureTreeEnsemble(node);
      in_trees_ += ensemble ? Amount(ensemble->parameters()) : Amount::Open();
    }
    if (auto weight = FindConvolutionWeight(node)) {
      ++counts_.convolutions;
      filters_ += CountFilters(node, *weight, scope);
    } else if (IsPool(node)) {
      ++counts_.pools;
    } else if (IsRecurrent(node)) {
      ++counts_.recurrent_layers;
    } else if (IsMatrixProduct(node)) {
      for (size_t i = 0; i < node.inputs.size(); ++i) {
        if (!IsMatrixFactor(node, i)) continue;
        if (scope.Find(node.inputs[i]) == nullptr) continue;
        ++counts_.dense_layers;
        return;
      }
    }
  }

  // Open when the weight is not a single constant.
  Amount CountFilters(const Node& node, size_t weight,
                      const SourceScope& scope) const {
    if (weight >= node.inputs.size()) return Amount::Open();
    const Sources* sources = scope.Find(node.inputs[weight]);
    if (sources == nullptr || sources->size() != 1) return Amount::Open();
    const auto& sizes = constants_[*sources->begin()].constant.sizes;
    if (sizes.size() < 2) return Amount::Open();
    if (node.op != "ConvTranspose") return static_cast<uint64_t>(sizes[0]);
    int64_t groups = std::max<int64_t>(1, node.Integer("group", 1));
    return Amount(static_cast<uint64_t>(sizes[1])) *
           static_cast<uint64_t>(groups);
  }

  // Counts the subgraphs. The outputs of an If come from its branches.
  void CountInside(const Node& node, SourceScope& scope) {
    std::vector<std::vector<Sources>> branches;
    for (const Attribute& attribute : node.attributes) {
      auto* graphs = std::get_if<std::vector<Graph>>(&attribute.value);
      if (graphs == nullptr) continue;
      for (const Graph& graph : *graphs) {
        branches.push_back(CountGraph(graph, &scope));
      }
    }
    if (node.op != "If") return;
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      Sources all;
      bool whole = !branches.empty();
      for (const std::vector<Sources>& outputs : branches) {
        if (i >= outputs.size() || outputs[i].empty()) {
          whole = false;
        } else {
          all.merge(Sources(outputs[i]));
        }
      }
      if (whole) scope.Set(node.outputs[i], std::move(all));
    }
  }

  std::vector<StoredConstant> constants_;
  Amount filters_;
  Amount in_trees_;  // parameters that are attributes
  LayerCounts counts_;
};

}  // namespace

LayerCounts CountLayers(const Graph& graph) {
  return LayerCounter().Count(graph);
}

std::string NameKind(const LayerCounts& counts, bool attention) {
  std::vector<std::string_view> kinds;
  if (counts.convolutions > 0) kinds.push_back("CNN");
  if (counts.recurrent_layers > 0) kinds.push_back("RNN");
  if (attention) kinds.push_back("Transformer");
  if (kinds.empty() && counts.dense_layers > 0) kinds.push_back("MLP");
  if (kinds.empty()) return "Unknown";
  return fmt::format("{}", fmt::join(kinds, "+"));
}

}  // namespace mete
