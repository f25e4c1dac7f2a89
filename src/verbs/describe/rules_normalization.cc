// Normalization and softmax: outputs shaped like the input, and statistics.
#include <fmt/format.h>

#include "describe/operator_rules.h"

namespace mete {
namespace {

template <uint64_t kOperations>
Cost NormalizationCost(const NodeView& view) {
  return {.cost_class = kNormalization,
          .flops = CountElements(view.Out(0)) * kOperations};
}

template <uint64_t kOperations>
Cost SoftmaxCost(const NodeView& view) {
  return {.cost_class = kSoftmax,
          .flops = CountElements(view.Out(0)) * kOperations};
}

Status ByChannel(NodeView& view) {  // BatchNormalization
  RETURN_IF_ERROR(SameAsFirst(view));
  const Shape* input = view.InShape(0);
  if (input == nullptr) return {};
  Dimension channels = input->size() > 1 ? (*input)[1] : Dimension{.size = 1};
  for (size_t i = 1; i < view.input_count(); ++i) {
    const Shape* statistic = view.InShape(i);
    if (statistic == nullptr || statistic->size() != 1 || !channels.size ||
        !(*statistic)[0].size) {
      continue;
    }
    if (*(*statistic)[0].size != *channels.size) {
      return Contradiction(fmt::format("found {} statistics for {} channels",
                                       *(*statistic)[0].size, *channels.size));
    }
  }
  // Running statistics for training.
  for (size_t i = 1; i < view.output_count(); ++i) {
    view.Set(i, view.In(3).type, Shape{channels});
  }
  return {};
}

// Output 0 is shaped like the input. The others hold one statistic per row,
// where a row starts at `axis`.
Status ByRow(NodeView& view) {
  RETURN_IF_ERROR(SameAsFirst(view));
  const Shape* input = view.InShape(0);
  if (input == nullptr) return {};
  ASSIGN_OR_RETURN(size_t axis, NormalizeAxis(view.node().Integer("axis", -1),
                                              input->size()));
  Shape statistics = *input;
  for (size_t i = axis; i < statistics.size(); ++i) {
    statistics[i] = Dimension{.size = 1};
  }
  view.Set(1, ElementType::kFloat, statistics);
  view.Set(2, ElementType::kFloat, statistics);
  return {};
}

// SkipLayerNormalization and its variants: output, mean, inverse deviation,
// sum.
Status WithSkip(NodeView& view) {
  RETURN_IF_ERROR(ByRow(view));
  view.Set(3, view.In(0).type, view.In(0).shape);
  return {};
}

Cost CostOfSkip(const NodeView& view) {
  bool simple = view.node().op == "SkipSimplifiedLayerNormalization";
  // One more for the sum with the skipped input and one for the bias.
  uint64_t operations = simple ? 5 : 8;
  if (view.Has(simple ? 3 : 4)) ++operations;
  return {.cost_class = kNormalization,
          .flops = CountElements(view.Out(0)) * operations};
}

// Word, position and segment embeddings, added and normalized.
Status Embedding(NodeView& view) {  // EmbedLayerNormalization
  const Shape* indices = view.InShape(0);
  const Shape* table = view.InShape(2);
  Shape shape = OpenShape(3);
  if (indices != nullptr && indices->size() == 2) {
    shape[0] = (*indices)[0];
    shape[1] = (*indices)[1];
  }
  if (table != nullptr && table->size() == 2) shape[2] = (*table)[1];
  ElementType type = view.In(2).type;
  view.Set(1, ElementType::kInt32, Shape{shape[0]});
  view.Set(2, type, shape);
  view.Set(0, type, std::move(shape));
  return {};
}

Cost CostOfLocalResponse(const NodeView& view) {  // LRN
  auto size = static_cast<uint64_t>(
      std::max<int64_t>(0, view.node().Integer("size", 0)));
  return {.cost_class = kNormalization,
          .flops = CountElements(view.Out(0)) * (Amount(size) + uint64_t{5})};
}

constexpr OperatorRule kNormalizationRules[] = {
    {"BatchNormalization", ByChannel, NormalizationCost<2>},
    {"InstanceNormalization", SameAsFirst, NormalizationCost<7>},
    {"GroupNormalization", SameAsFirst, NormalizationCost<7>},
    {"GroupNorm", SameAsFirst, NormalizationCost<7>},
    {"LayerNormalization", ByRow, NormalizationCost<7>},
    {"MeanVarianceNormalization", SameAsFirst, NormalizationCost<5>},
    {"SimplifiedLayerNormalization", ByRow, NormalizationCost<4>},
    {"RMSNormalization", SameAsFirst, NormalizationCost<4>},
    {"SkipLayerNormalization", WithSkip, CostOfSkip},
    {"SkipSimplifiedLayerNormalization", WithSkip, CostOfSkip},
    {"EmbedLayerNormalization", Embedding, NormalizationCost<9>},
    {"LpNormalization", SameAsFirst, NormalizationCost<3>},
    {"LRN", SameAsFirst, CostOfLocalResponse},
    {"Softmax", SameAsFirst, SoftmaxCost<5>},
    {"LogSoftmax", SameAsFirst, SoftmaxCost<5>},
    {"Hardmax", SameAsFirst, SoftmaxCost<1>},
    {"QLinearSoftmax", SameAsFirst, SoftmaxCost<5>},
};

}  // namespace

std::span<const OperatorRule> NormalizationRules() {
  return kNormalizationRules;
}

}  // namespace mete
