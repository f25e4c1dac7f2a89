// Sequences, optionals and strings, whose sizes are not those of tensors.
#include "describe/operator_rules.h"

namespace mete {
namespace {

Cost Nothing(const NodeView&) { return {.cost_class = kMovement}; }

Status CountingItems(NodeView& view) {  // SequenceLength
  view.Set(0, ElementType::kInt64, Shape{});
  return {};
}

Status Asking(NodeView& view) {  // OptionalHasElement
  view.Set(0, ElementType::kBool, Shape{});
  return {};
}

constexpr OperatorRule kSequenceRules[] = {
    {"SequenceConstruct", OpenOutputs, Nothing},
    {"SequenceEmpty", OpenOutputs, Nothing},
    {"SequenceInsert", OpenOutputs, Nothing},
    {"SequenceErase", OpenOutputs, Nothing},
    {"SequenceAt", OpenOutputs, Nothing},
    {"SequenceLength", CountingItems, Nothing},
    {"SplitToSequence", OpenOutputs, Nothing},
    {"ConcatFromSequence", OpenOutputs, Nothing},
    {"Optional", SameAsFirst, Nothing},
    {"OptionalGetElement", SameAsFirst, Nothing},
    {"OptionalHasElement", Asking, Nothing},
    {"StringNormalizer", OpenOutputs, Nothing},
};

}  // namespace

std::span<const OperatorRule> SequenceRules() { return kSequenceRules; }

}  // namespace mete
