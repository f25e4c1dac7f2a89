#include "describe/operator_rules.h"

#include <fmt/format.h>

#include <string>
#include <unordered_map>

#include "describe/tree_ensemble.h"

namespace mete {
namespace {

using RuleTable = std::unordered_map<std::string_view, const OperatorRule*>;

RuleTable MakeTable() {
  RuleTable table;
  for (auto rules :
       {AttentionRules(), ConvolutionRules(), ElementwiseRules(),
        GeneratingRules(), IndexingRules(), JoiningRules(), MatrixRules(),
        NormalizationRules(), PoolingRules(), QuantizedRules(),
        RearrangingRules(), RecurrentRules(), ReductionRules(), ResizingRules(),
        SequenceRules(), SignalRules(), TreeRules()}) {
    for (const OperatorRule& rule : rules) {
      bool fresh = table.emplace(rule.op, &rule).second;
      CHECK(fresh) << "two rules for " << rule.op;
    }
  }
  return table;
}

bool IsKnownDomain(const Node& node) {
  return node.domain.empty() || node.domain == "com.microsoft" ||
         IsTreeEnsemble(node);
}

// An unknown size stays open unless the other one determines the result.
Result<Dimension> BroadcastDimension(const Dimension& a, const Dimension& b) {
  if (a.size == 1) return b;
  if (b.size == 1) return a;
  if (!a.size && !b.size) return a.symbol == b.symbol ? a : Dimension{};
  if (!a.size) return b;
  if (!b.size) return a;
  if (*a.size != *b.size) {
    return Contradiction(
        fmt::format("sizes {} and {} do not match", *a.size, *b.size));
  }
  return a;
}

}  // namespace

const OperatorRule* FindRule(const Node& node) {
  static const RuleTable kTable = MakeTable();
  if (!IsKnownDomain(node)) return nullptr;
  auto found = kTable.find(node.op);
  return found == kTable.end() ? nullptr : found->second;
}

Cost Movement(const NodeView&) { return {.cost_class = kMovement}; }

Cost OnePerElement(const NodeView& view) {
  return {.cost_class = kElementwise, .flops = CountElements(view.Out(0))};
}

Status SameAsFirst(NodeView& view) {
  view.Set(0, view.In(0).type, view.In(0).shape);
  return {};
}

void FoldSame(NodeView& view) {
  if (view.In(0).integers) view.SetIntegers(0, *view.In(0).integers);
  if (view.In(0).reals) view.SetReals(0, *view.In(0).reals);
}

Status OpenOutputs(NodeView&) { return {}; }

Result<Shape> Broadcast(const Shape& a, const Shape& b) {
  const Shape& longer = a.size() >= b.size() ? a : b;
  const Shape& shorter = a.size() >= b.size() ? b : a;
  Shape result = longer;
  size_t shift = longer.size() - shorter.size();
  for (size_t i = 0; i < shorter.size(); ++i) {
    auto dimension = BroadcastDimension(longer[i + shift], shorter[i]);
    if (!dimension.ok()) {
      return Contradiction(fmt::format("shapes {} and {} do not broadcast",
                                       FormatShape(a), FormatShape(b)));
    }
    result[i + shift] = *dimension;
  }
  return result;
}

Result<std::optional<Shape>> BroadcastInputs(const NodeView& view,
                                             const std::vector<size_t>& which) {
  Shape result;
  for (size_t input : which) {
    if (!view.Has(input)) continue;
    const Shape* shape = view.InShape(input);
    if (shape == nullptr) return std::optional<Shape>();
    ASSIGN_OR_RETURN(result, Broadcast(result, *shape));
  }
  return std::optional<Shape>(std::move(result));
}

Cost MultiplyAdds(std::string_view cost_class, Amount macs,
                  Amount extra_flops) {
  return {.cost_class = cost_class,
          .macs = macs,
          .flops = macs * uint64_t{2} + extra_flops};
}

}  // namespace mete
