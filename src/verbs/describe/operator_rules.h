// What every known operator does to shapes and small contents, and what it
// costs. One table row per operator, one file per family.
#pragma once

#include <span>
#include <string_view>

#include "describe/amount.h"
#include "describe/node_view.h"
#include "domain/graph.h"
#include "support/result.h"

namespace mete {

// Fills in the types and shapes of the outputs as far as they are determined.
// Fails when the inputs contradict the operator.
using ShapeRule = Status (*)(NodeView& view);
// Fills in the content of outputs whose shape is known and small.
using FoldRule = void (*)(NodeView& view);

// The cost of running a node once. docs/internals/characteristics.md defines
// the rule of every operator.
struct Cost {
  std::string_view cost_class;  // conv, depthwise, gemm, elementwise, …
  Amount macs;
  Amount flops;
};
using CostRule = Cost (*)(const NodeView& view);

// All rules of one operator. `fold` may be null.
struct OperatorRule {
  std::string_view op;
  ShapeRule shape;
  CostRule cost;
  FoldRule fold = nullptr;
};

// The operator families, each in rules_<family>.cc.
std::span<const OperatorRule> AttentionRules();
std::span<const OperatorRule> ConvolutionRules();
std::span<const OperatorRule> ElementwiseRules();
std::span<const OperatorRule> GeneratingRules();
std::span<const OperatorRule> IndexingRules();
std::span<const OperatorRule> JoiningRules();
std::span<const OperatorRule> MatrixRules();
std::span<const OperatorRule> NormalizationRules();
std::span<const OperatorRule> PoolingRules();
std::span<const OperatorRule> QuantizedRules();
std::span<const OperatorRule> RearrangingRules();
std::span<const OperatorRule> RecurrentRules();
std::span<const OperatorRule> ReductionRules();
std::span<const OperatorRule> ResizingRules();
std::span<const OperatorRule> SequenceRules();
std::span<const OperatorRule> SignalRules();
std::span<const OperatorRule> TreeRules();

// Null for an unknown operator. Knows the standard operators, those of ONNX
// Runtime (com.microsoft) and the tree ensembles of ai.onnx.ml.
const OperatorRule* FindRule(const Node& node);

// Names of the cost classes.
inline constexpr std::string_view kConv = "conv";
inline constexpr std::string_view kDepthwise = "depthwise";
inline constexpr std::string_view kGemm = "gemm";
inline constexpr std::string_view kAttention = "attention";
inline constexpr std::string_view kRnn = "rnn";
inline constexpr std::string_view kPool = "pool";
inline constexpr std::string_view kNormalization = "normalization";
inline constexpr std::string_view kSoftmax = "softmax";
inline constexpr std::string_view kElementwise = "elementwise";
inline constexpr std::string_view kReduction = "reduction";
inline constexpr std::string_view kMovement = "movement";
inline constexpr std::string_view kOther = "other";

// Rules shared by several families.
Cost Movement(const NodeView& view);  // moves elements without computing
// One floating-point operation per element of the first output.
Cost OnePerElement(const NodeView& view);
// An elementwise operator that takes this many operations per output element.
template <uint64_t kOperations>
Cost ElementwiseCost(const NodeView& view) {
  return {.cost_class = kElementwise,
          .flops = CountElements(view.Out(0)) * kOperations};
}
Status SameAsFirst(NodeView& view);  // output 0: type and shape of input 0
void FoldSame(NodeView& view);       // output 0: content of input 0
// For a known operator whose shape cannot be inferred.
Status OpenOutputs(NodeView& view);

// Broadcasts two shapes as numpy does.
Result<Shape> Broadcast(const Shape& a, const Shape& b);
// Fails as Broadcast does. Absent when a shape is unknown.
Result<std::optional<Shape>> BroadcastInputs(const NodeView& view,
                                             const std::vector<size_t>& which);

// Multiply-adds of two operations each, plus `extra_flops`.
Cost MultiplyAdds(std::string_view cost_class, Amount macs, Amount extra_flops);

}  // namespace mete
