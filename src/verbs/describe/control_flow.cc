// If, Loop and Scan: which subgraph runs, how often, and what it returns.
#include <fmt/format.h>

#include <limits>

#include "describe/graph_walk.h"

namespace mete {
namespace {

Error NoSubgraph(std::string_view attribute) {
  return Contradiction(fmt::format("it has no {}", attribute));
}

// Compares multiply-adds first, then operations.
bool IsCostlier(const GraphTotals& a, const GraphTotals& b) {
  auto macs_a = a.macs.value().value_or(UINT64_MAX);
  auto macs_b = b.macs.value().value_or(UINT64_MAX);
  if (macs_a != macs_b) return macs_a > macs_b;
  return a.flops.value().value_or(UINT64_MAX) >
         b.flops.value().value_or(UINT64_MAX);
}

// A value that changes between iterations has no fixed content.
ValueFacts WithoutContent(ValueFacts value) {
  value.integers.reset();
  value.reals.reset();
  value.constant = false;
  return value;
}

// The totals of `times` runs of a body. Memory is reused, so bytes count once.
void Repeat(Amount times, GraphTotals& totals) {
  totals.macs = totals.macs * times;
  totals.flops = totals.flops * times;
  for (auto& [name, macs] : totals.macs_by_class) macs = macs * times;
}

Shape WithAxis(const Shape& shape, size_t axis, const Dimension& size) {
  Shape grown = shape;
  grown.insert(grown.begin() + static_cast<ptrdiff_t>(axis), size);
  return grown;
}

}  // namespace

Result<GraphWalk::Inside> GraphWalk::WalkIf(NodeView& view,
                                            const Scope& scope) {
  const Graph* then_branch = FindSubgraph(view.node(), "then_branch");
  const Graph* else_branch = FindSubgraph(view.node(), "else_branch");
  if (then_branch == nullptr) return NoSubgraph("then_branch");
  if (else_branch == nullptr) return NoSubgraph("else_branch");
  auto take = [&](GraphTotals totals) {
    for (size_t i = 0; i < totals.outputs.size(); ++i) {
      if (i < view.output_count()) view.outputs()[i] = totals.outputs[i];
    }
    return Inside{.totals = std::move(totals), .present = true};
  };
  if (auto condition = view.InScalar(0)) {
    ASSIGN_OR_RETURN(
        GraphTotals taken,
        Walk(*condition != 0 ? *then_branch : *else_branch, &scope, {}));
    return take(std::move(taken));
  }
  auto yes = Walk(*then_branch, &scope, {});
  auto no = Walk(*else_branch, &scope, {});
  if (!yes.ok() && !no.ok()) return yes.error();
  // Exporters guard shapes with branches that handle shapes which never occur.
  if (!yes.ok() || !no.ok()) {
    Note(view.node(),
         fmt::format("{}: one branch cannot run and is ignored ({})",
                     view.Name(), (yes.ok() ? no : yes).error().message()));
    return take(std::move(yes.ok() ? *yes : *no));
  }
  GraphTotals& costlier = IsCostlier(*no, *yes) ? *no : *yes;
  const GraphTotals& cheaper = IsCostlier(*no, *yes) ? *yes : *no;
  costlier.depth = std::max(costlier.depth, cheaper.depth);
  costlier.parameters += cheaper.parameters;
  costlier.peak_bytes = Larger(costlier.peak_bytes, cheaper.peak_bytes);
  if (!cheaper.macs.value()) costlier.macs = Amount::Open();
  if (!cheaper.flops.value()) costlier.flops = Amount::Open();
  if (!cheaper.activation_bytes.value()) {
    costlier.activation_bytes = Amount::Open();
  }
  if (costlier.outputs.size() != cheaper.outputs.size()) {
    return Contradiction("its branches have different numbers of outputs");
  }
  for (size_t i = 0; i < costlier.outputs.size(); ++i) {
    costlier.outputs[i] = Merge(costlier.outputs[i], cheaper.outputs[i]);
  }
  return take(std::move(costlier));
}

Result<GraphTotals> GraphWalk::WalkRepeated(Repetition& repetition,
                                            const Scope& scope) {
  // Merging can only open sizes, so shapes usually converge after a few
  // iterations. The others stay unknown.
  constexpr int kTurns = 4;
  for (int turn = 0;; ++turn) {
    std::vector<ValueFacts> inputs = repetition.fixed;
    for (const ValueFacts& value : repetition.carried) inputs.push_back(value);
    for (const ValueFacts& value : repetition.rest) inputs.push_back(value);
    if (inputs.size() != repetition.body.inputs.size()) {
      return Contradiction(fmt::format("its body gets {} inputs but takes {}",
                                       inputs.size(),
                                       repetition.body.inputs.size()));
    }
    ASSIGN_OR_RETURN(GraphTotals totals,
                     Walk(repetition.body, &scope, std::move(inputs)));
    if (totals.outputs.size() <
        repetition.skipped + repetition.carried.size()) {
      return Contradiction("its body has too few outputs");
    }
    bool settled = true;
    for (size_t i = 0; i < repetition.carried.size(); ++i) {
      ValueFacts& before = repetition.carried[i];
      ValueFacts merged = Merge(before, totals.outputs[i + repetition.skipped]);
      if (merged.shape == before.shape && merged.type == before.type) continue;
      settled = false;
      before = turn + 1 < kTurns ? std::move(merged) : ValueFacts{};
    }
    if (settled || turn == kTurns) return totals;
  }
}

Result<GraphWalk::Inside> GraphWalk::WalkLoop(NodeView& view,
                                              const Scope& scope) {
  const Graph* body = FindSubgraph(view.node(), "body");
  if (body == nullptr) return NoSubgraph("body");
  // Body: (iteration, condition, carried…) -> (condition, carried…,
  // collected…).
  ValueFacts turn{.type = ElementType::kInt64, .shape = Shape{}};
  ValueFacts go_on{.type = ElementType::kBool,
                   .shape = Shape{},
                   .integers = {{view.Has(1) ? view.InScalar(1) : 1}}};
  Repetition repetition{.body = *body, .fixed = {turn, go_on}, .skipped = 1};
  for (size_t i = 2; i < view.input_count(); ++i) {
    repetition.carried.push_back(WithoutContent(view.In(i)));
  }
  ASSIGN_OR_RETURN(GraphTotals totals, WalkRepeated(repetition, scope));

  // The number of iterations is known when only the count ends the loop.
  std::optional<int64_t> turns;
  auto& goes_on = totals.outputs[0].integers;
  bool counted = go_on.integers->front() == 1 && goes_on &&
                 goes_on->size() == 1 && goes_on->front() == 1;
  auto limit = view.InScalar(0);
  if (counted && limit && *limit < std::numeric_limits<int32_t>::max()) {
    turns = std::max<int64_t>(0, *limit);
  }
  if (go_on.integers->front() == 0) turns = 0;

  size_t carried = repetition.carried.size();
  for (size_t i = 0; i < carried; ++i) {
    view.Set(i, repetition.carried[i].type, repetition.carried[i].shape);
  }
  for (size_t i = 1 + carried; i < totals.outputs.size(); ++i) {
    const ValueFacts& collected = totals.outputs[i];
    std::optional<Shape> shape;
    if (collected.shape) {
      shape = WithAxis(*collected.shape, 0, Dimension{.size = turns});
    }
    view.Set(i - 1, collected.type, std::move(shape));
  }
  if (!turns) {
    Note(view.node(),
         fmt::format("{}: the number of iterations depends on the data; one is "
                     "counted",
                     view.Name()));
  } else {
    Repeat(static_cast<uint64_t>(*turns), totals);
  }
  return Inside{.totals = std::move(totals), .present = true};
}

Result<GraphWalk::Inside> GraphWalk::WalkScan(NodeView& view,
                                              const Scope& scope) {
  const Graph* body = FindSubgraph(view.node(), "body");
  if (body == nullptr) return NoSubgraph("body");
  // Scan of operator set 8 had a different signature and is no longer used.
  if (settings_.opset < 9) return Inside{};
  int64_t scanned = view.node().Integer("num_scan_inputs", 0);
  auto inputs = static_cast<int64_t>(view.input_count());
  if (scanned < 1 || scanned > inputs) {
    return Contradiction(
        fmt::format("{} of {} inputs are scanned", scanned, inputs));
  }
  size_t carried = static_cast<size_t>(inputs - scanned);
  Repetition repetition{.body = *body};
  for (size_t i = 0; i < carried; ++i) {
    repetition.carried.push_back(WithoutContent(view.In(i)));
  }
  std::vector<int64_t> axes = view.node().Integers("scan_input_axes");
  axes.resize(static_cast<size_t>(scanned), 0);
  Dimension length;
  for (size_t i = 0; i < axes.size(); ++i) {
    ValueFacts slice = WithoutContent(view.In(carried + i));
    if (slice.shape) {
      ASSIGN_OR_RETURN(size_t axis,
                       NormalizeAxis(axes[i], slice.shape->size()));
      if ((*slice.shape)[axis].size) length = (*slice.shape)[axis];
      slice.shape->erase(slice.shape->begin() + static_cast<ptrdiff_t>(axis));
    }
    repetition.rest.push_back(std::move(slice));
  }
  ASSIGN_OR_RETURN(GraphTotals totals, WalkRepeated(repetition, scope));
  for (size_t i = 0; i < carried; ++i) {
    view.Set(i, repetition.carried[i].type, repetition.carried[i].shape);
  }
  std::vector<int64_t> out_axes = view.node().Integers("scan_output_axes");
  out_axes.resize(totals.outputs.size() - carried, 0);
  for (size_t i = carried; i < totals.outputs.size(); ++i) {
    const ValueFacts& collected = totals.outputs[i];
    std::optional<Shape> shape;
    if (collected.shape) {
      ASSIGN_OR_RETURN(size_t axis, NormalizeAxis(out_axes[i - carried],
                                                  collected.shape->size() + 1));
      shape = WithAxis(*collected.shape, axis, length);
    }
    view.Set(i, collected.type, std::move(shape));
  }
  Repeat(ComputeSize(length), totals);
  return Inside{.totals = std::move(totals), .present = true};
}

}  // namespace mete
