#include "describe/legacy_counts.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "describe/amount.h"

namespace mete {
namespace {

class LegacyCounter {
 public:
  explicit LegacyCounter(const Graph& graph) : graph_(graph) {
    for (const Constant& constant : graph.constants) {
      if (!constant.sparse) initializers_.emplace(constant.name, &constant);
    }
    for (const Node& node : graph.nodes) {
      for (const std::string& output : node.outputs) {
        producers_.emplace(output, node.op);
      }
    }
  }

  LegacyCounts Count() {
    Amount parameters;
    for (const Constant& constant : graph_.constants) {
      if (!constant.sparse) parameters += ElementCount(constant.sizes);
    }
    counts_.total_parameters = parameters.value().value_or(UINT64_MAX);
    for (const Node& node : graph_.nodes) CountNode(node);
    counts_.network_type = NetworkType();
    return counts_;
  }

 private:
  const Constant* Initializer(const Node& node, size_t input) const {
    if (input >= node.inputs.size()) return nullptr;
    auto found = initializers_.find(node.inputs[input]);
    return found == initializers_.end() ? nullptr : found->second;
  }

  bool ReadsFrom(const Node& node, std::string_view op) const {
    if (node.inputs.empty()) return false;
    auto found = producers_.find(node.inputs[0]);
    return found != producers_.end() && found->second == op;
  }

  void CountNode(const Node& node) {
    if (node.op == "Conv") {
      CountConvolution(node);
    } else if (node.op == "MaxPool" || node.op == "AveragePool" ||
               node.op == "GlobalAveragePool") {
      ++counts_.pool_layers;
    } else if (node.op == "Gemm") {
      ++counts_.fc_layers;
    } else if (node.op == "MatMul") {
      bool dense =
          ReadsFrom(node, "Flatten") || Initializer(node, 1) != nullptr;
      if (dense) ++counts_.fc_layers;
    }
  }

  void CountConvolution(const Node& node) {
    const Constant* weight = Initializer(node, 1);
    if (weight == nullptr || weight->sizes.empty()) return;
    ++counts_.conv_layers;
    counts_.filter_details += static_cast<uint64_t>(weight->sizes[0]);
    // A 1x1 convolution after a global pool also acts as a dense layer.
    if (ReadsFrom(node, "GlobalAveragePool")) ++counts_.fc_layers;
  }

  std::string NetworkType() const {
    auto any = [&](auto matches) {
      return std::any_of(graph_.nodes.begin(), graph_.nodes.end(), matches);
    };
    if (any([](const Node& node) { return node.op == "Conv"; })) return "CNN";
    if (any([](const Node& node) {
          return node.op == "LSTM" || node.op == "RNN" || node.op == "GRU";
        })) {
      return "RNN";
    }
    if (!any([](const Node& node) { return node.op != "Gemm"; })) return "MLP";
    if (any([](const Node& node) {
          return node.op.find("Attention") != std::string::npos;
        })) {
      return "Transformer";
    }
    return "Unknown";
  }

  const Graph& graph_;
  std::unordered_map<std::string_view, const Constant*> initializers_;
  std::unordered_map<std::string_view, std::string_view> producers_;
  LegacyCounts counts_;
};

}  // namespace

LegacyCounts CountLegacy(const Graph& graph) {
  return LegacyCounter(graph).Count();
}

}  // namespace mete
