#include "describe/attention_pattern.h"

#include <algorithm>
#include <array>

namespace mete {
namespace {

bool IsSoftmax(const Node& node) {
  return node.op == "Softmax" || node.op == "QLinearSoftmax";
}

// Operators between the product and the softmax that only scale, mask or
// rearrange the scores.
bool Passes(const Node& node) {
  constexpr std::array<std::string_view, 22> kPassing = {"Add",
                                                         "Cast",
                                                         "Clip",
                                                         "Div",
                                                         "Dropout",
                                                         "Expand",
                                                         "Identity",
                                                         "Max",
                                                         "Min",
                                                         "Mul",
                                                         "QLinearAdd",
                                                         "QLinearMul",
                                                         "QuantizeLinear",
                                                         "DequantizeLinear",
                                                         "Reshape",
                                                         "Slice",
                                                         "Squeeze",
                                                         "Sub",
                                                         "Tanh",
                                                         "Transpose",
                                                         "Unsqueeze",
                                                         "Where"};
  return std::find(kPassing.begin(), kPassing.end(), node.op) != kPassing.end();
}

}  // namespace

AttentionPattern::AttentionPattern(const Graph& graph) {
  for (const Node& node : graph.nodes) {
    bool reached = IsSoftmax(node);
    for (const std::string& input : node.inputs) {
      reached = reached || (Passes(node) && after_softmax_.contains(input));
    }
    if (reached) {
      after_softmax_.insert(node.outputs.begin(), node.outputs.end());
    }
  }
  for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
    bool leads = IsSoftmax(*node);
    for (const std::string& output : node->outputs) {
      leads = leads || (Passes(*node) && before_softmax_.contains(output));
    }
    if (leads) before_softmax_.insert(node->inputs.begin(), node->inputs.end());
  }
  // Omitted inputs have an empty name.
  before_softmax_.erase("");
  after_softmax_.erase("");
}

bool AttentionPattern::Matches(const NodeView& view) const {
  const Node& node = view.node();
  size_t right = node.op == "QLinearMatMul" || node.op == "QGemm" ? 3 : 1;
  if (!view.Has(0) || !view.Has(right) || view.In(0).constant ||
      view.In(right).constant) {
    return false;
  }
  auto within = [](const auto& set, const std::string& name) {
    return set.contains(name);
  };
  return (!node.outputs.empty() && within(before_softmax_, node.outputs[0])) ||
         within(after_softmax_, node.inputs[0]) ||
         within(after_softmax_, node.inputs[right]);
}

}  // namespace mete
