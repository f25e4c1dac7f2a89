#include "describe/graph_walk.h"

#include <fmt/format.h>

#include <algorithm>

#include "describe/constant_value.h"
#include "describe/tree_ensemble.h"
#include "domain/input_shapes.h"

namespace mete {
namespace {

// Nested loops are walked several times each. This limits malicious nesting and
// is far beyond real networks.
constexpr uint64_t kMaxVisits = 1'000'000;
// Limit of all tracked contents, about 16 MB.
constexpr uint64_t kMaxKeptElements = 1'000'000;
constexpr size_t kMaxRank = 64;

bool IsRandom(const Node& node) {
  return node.op.starts_with("Random") || node.op == "Bernoulli" ||
         node.op == "Multinomial";
}

// Content that does not match its shape would mislead all later rules.
void DropUnfittingContent(ValueFacts& value) {
  auto count = value.shape ? ElementCount(*value.shape) : std::nullopt;
  if (value.integers && value.integers->size() != count) {
    value.integers.reset();
  }
  if (value.reals && value.reals->size() != count) value.reals.reset();
}

// Inferred facts take precedence; those declared in the file fill the gaps.
void FillFromStated(const ValueType& stated, ValueFacts& value) {
  if (value.type == ElementType::kUndefined) value.type = stated.type;
  if (!stated.shape) return;
  if (!value.shape) {
    value.shape = stated.shape;
    return;
  }
  if (value.shape->size() != stated.shape->size()) return;
  for (size_t i = 0; i < value.shape->size(); ++i) {
    Dimension& dimension = (*value.shape)[i];
    if (!dimension.size && (*stated.shape)[i].size) {
      dimension = (*stated.shape)[i];
    }
  }
}

Status CheckValue(const ValueFacts& value) {
  if (!value.shape) return {};
  if (value.shape->size() > kMaxRank) {
    return Contradiction("a value has too many axes");
  }
  std::vector<int64_t> known;
  for (const Dimension& dimension : *value.shape) {
    if (!dimension.size) continue;
    if (*dimension.size < 0) return Contradiction("a size is negative");
    known.push_back(*dimension.size);
  }
  auto bits = static_cast<int64_t>(std::max(1, BitsPerElement(value.type)));
  bool zero = std::find(known.begin(), known.end(), 0) != known.end();
  known.push_back(bits);
  if (!zero && !ElementCount(known)) {
    return Contradiction(
        fmt::format("the shape {} is too large", FormatShape(*value.shape)));
  }
  return {};
}

Amount InputBytes(const NodeView& view) {
  Amount bytes;
  for (size_t i = 0; i < view.input_count(); ++i) {
    if (view.Has(i) && !view.In(i).constant) bytes += CountBytes(view.In(i));
  }
  return bytes;
}

std::optional<uint64_t> KernelPoints(const NodeView& view, const Cost& cost) {
  if (cost.cost_class != kConv && cost.cost_class != kDepthwise) return {};
  const Shape* weight = view.InShape(view.node().op == "QLinearConv" ? 3 : 1);
  if (weight == nullptr || weight->size() < 3) return {};
  return ComputeSize(*weight, 2, weight->size()).value();
}

}  // namespace

const ValueFacts* Scope::Find(std::string_view name) const {
  for (const Scope* scope = this; scope != nullptr; scope = scope->outer_) {
    auto found = scope->values_.find(name);
    if (found != scope->values_.end()) return &found->second;
  }
  return nullptr;
}

// State while the nodes of one graph are walked.
struct GraphWalk::Progress {
  using Reads = std::vector<std::vector<std::string>>;

  Progress(const Graph& graph, const Scope* outer)
      : reads(CollectReads(graph)),
        scope(outer),
        live(graph, reads),
        attention(graph) {}

  static Reads CollectReads(const Graph& graph) {
    Reads reads;
    for (const Node& node : graph.nodes) reads.push_back(NamesReadBy(node));
    return reads;
  }

  uint64_t DepthAt(size_t place) const {
    uint64_t depth = 0;
    for (const std::string& name : reads[place]) {
      auto found = depths.find(name);
      if (found != depths.end()) depth = std::max(depth, found->second);
    }
    return depth;
  }

  // Elements of constants that this node is the first to read.
  uint64_t TakeParameters(size_t place) {
    uint64_t elements = 0;
    for (const std::string& name : reads[place]) {
      auto found = unread_constants.find(name);
      if (found == unread_constants.end()) continue;
      elements += found->second;
      unread_constants.erase(found);
    }
    return elements;
  }

  bool AllConstant(size_t place) const {
    return std::all_of(reads[place].begin(), reads[place].end(),
                       [&](const std::string& name) {
                         const ValueFacts* value = scope.Find(name);
                         return value != nullptr && value->constant;
                       });
  }

  Reads reads;  // NamesReadBy of every node
  Scope scope;
  LiveBytes live;
  AttentionPattern attention;
  std::unordered_map<std::string_view, ValueType> stated;
  std::unordered_map<std::string_view, uint64_t> depths;
  std::unordered_map<std::string_view, uint64_t> unread_constants;
  GraphTotals totals;
};

Result<GraphTotals> GraphWalk::Walk(const Graph& graph, const Scope* outer,
                                    std::vector<ValueFacts> inputs) {
  Progress progress(graph, outer);
  for (const auto& values : {&graph.values, &graph.outputs}) {
    for (const GraphValue& value : *values) {
      ValueType type = value.type;
      if (type.shape) {
        type.shape = Substitute(*std::move(type.shape), settings_.symbols);
      }
      progress.stated[value.name] = std::move(type);
    }
  }
  for (const Constant& constant : graph.constants) {
    uint64_t elements = ElementCount(constant.sizes).value_or(0);
    progress.unread_constants[constant.name] = elements;
    progress.totals.parameters += elements;
    progress.scope.Set(constant.name, ToValueFacts(constant));
  }
  for (size_t i = 0; i < graph.inputs.size() && i < inputs.size(); ++i) {
    progress.live.Add(graph.inputs[i].name, CountBytes(inputs[i]));
    progress.scope.Set(graph.inputs[i].name, std::move(inputs[i]));
  }
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    RETURN_IF_ERROR(WalkNode(graph, i, progress));
  }
  GraphTotals& totals = progress.totals;
  totals.peak_bytes = progress.live.peak();
  for (const GraphValue& output : graph.outputs) {
    const ValueFacts* value = progress.scope.Find(output.name);
    totals.outputs.push_back(value == nullptr ? ValueFacts{} : *value);
  }
  return std::move(totals);
}

void GraphWalk::Note(const Node& node, std::string sentence) {
  if (noted_.insert(&node).second) {
    findings_.others.push_back(std::move(sentence));
  }
}

Status GraphWalk::WalkNode(const Graph& graph, size_t place,
                           Progress& progress) {
  const Node& node = graph.nodes[place];
  // Subgraphs that read many values take more work, too.
  visits_ += 1 + progress.reads[place].size() / 16;
  if (visits_ > kMaxVisits) {
    return Corrupt("its loops nest too deeply to be described");
  }
  std::vector<const ValueFacts*> inputs;
  for (const std::string& name : node.inputs) {
    inputs.push_back(name.empty() ? nullptr : progress.scope.Find(name));
  }
  NodeView view(node, std::move(inputs));
  auto inside = Infer(view, progress.scope);
  if (!inside.ok()) return inside.error().While(view.Name());
  RETURN_IF_ERROR(CompleteOutputs(view, place, progress).While(view.Name()));
  Cost cost = ComputeCost(view, *inside, progress.attention);
  if (cost.macs.absurd() || cost.flops.absurd()) {
    return Corrupt(view.Name() + ": its cost is too large");
  }
  uint64_t parameters =
      progress.TakeParameters(place) + inside->totals.parameters;
  if (auto ensemble = MeasureTreeEnsemble(node)) {
    parameters += ensemble->parameters();
  }
  uint64_t depth = progress.DepthAt(place) + 1 + inside->totals.depth;
  Record(view, cost, *inside, progress);
  RecordOutputs(view, depth, parameters, progress);
  progress.live.Finish(place, inside->totals.peak_bytes);
  return {};
}

Result<GraphWalk::Inside> GraphWalk::Infer(NodeView& view, const Scope& scope) {
  const Node& node = view.node();
  if (node.domain.empty()) {
    if (node.op == "If") return WalkIf(view, scope);
    if (node.op == "Loop") return WalkLoop(view, scope);
    if (node.op == "Scan") return WalkScan(view, scope);
  }
  const OperatorRule* rule = FindRule(node);
  if (rule == nullptr) {
    findings_.unknown_operators[node.op].insert(&node);
    return Inside{};
  }
  RETURN_IF_ERROR(rule->shape(view));
  for (ValueFacts& value : view.outputs()) RETURN_IF_ERROR(CheckValue(value));
  if (rule->fold != nullptr) rule->fold(view);
  if (view.data_dependent()) findings_.data_dependent[node.op].insert(&node);
  return Inside{};
}

Status GraphWalk::CompleteOutputs(NodeView& view, size_t place,
                                  const Progress& progress) {
  bool constant = !IsRandom(view.node()) && progress.AllConstant(place);
  for (size_t i = 0; i < view.output_count(); ++i) {
    ValueFacts& value = view.outputs()[i];
    value.constant = constant;
    auto stated = progress.stated.find(view.node().outputs[i]);
    if (stated != progress.stated.end()) FillFromStated(stated->second, value);
    RETURN_IF_ERROR(CheckValue(value));
    DropUnfittingContent(value);
    kept_elements_ += value.integers ? value.integers->size() : 0;
    kept_elements_ += value.reals ? value.reals->size() : 0;
    if (kept_elements_ > kMaxKeptElements) {
      value.integers.reset();
      value.reals.reset();
    }
  }
  return {};
}

Cost GraphWalk::ComputeCost(const NodeView& view, const Inside& inside,
                            const AttentionPattern& pattern) {
  if (inside.present) {
    return {.cost_class = kOther,
            .macs = inside.totals.macs,
            .flops = inside.totals.flops};
  }
  const OperatorRule* rule = FindRule(view.node());
  if (rule == nullptr) return {.cost_class = kOther};
  Cost cost = rule->cost(view);
  if (cost.cost_class == kGemm && pattern.Matches(view)) {
    cost.cost_class = kAttention;
  }
  return cost;
}

void GraphWalk::Record(const NodeView& view, const Cost& cost,
                       const Inside& inside, Progress& progress) {
  GraphTotals& totals = progress.totals;
  totals.macs += cost.macs;
  totals.flops += cost.flops;
  totals.activation_bytes += inside.totals.activation_bytes;
  totals.parameters += inside.totals.parameters;
  if (inside.present) {
    for (const auto& [name, macs] : inside.totals.macs_by_class) {
      totals.macs_by_class[name] += macs;
    }
  } else if (cost.macs.value() != 0u) {
    totals.macs_by_class[cost.cost_class] += cost.macs;
  }
  const Node& node = view.node();
  totals.layers.push_back({.name = node.name.empty() && !node.outputs.empty()
                                       ? node.outputs[0]
                                       : node.name,
                           .op = node.op,
                           .output_shape = view.Out(0).shape,
                           .macs = cost.macs.value(),
                           .flops = cost.flops.value(),
                           .input_bytes = InputBytes(view).value(),
                           .kernel_points = KernelPoints(view, cost),
                           .cost_class = std::string(cost.cost_class)});
}

void GraphWalk::RecordOutputs(const NodeView& view, uint64_t depth,
                              uint64_t parameters, Progress& progress) {
  const Node& node = view.node();
  GraphTotals& totals = progress.totals;
  bool stored = node.op == "Constant" && node.domain.empty();
  Amount bytes;
  for (size_t i = 0; i < view.output_count(); ++i) {
    const std::string& name = node.outputs[i];
    if (name.empty()) continue;
    // A stored weight is not an activation, nor is one that was rearranged:
    // engines compute what depends on constants only when they load.
    Amount own = view.Out(i).constant ? Amount() : CountBytes(view.Out(i));
    bytes += own;
    progress.live.Add(name, own);
    progress.depths[name] = depth;
    progress.scope.Set(name, view.Out(i));
    if (!stored) continue;
    uint64_t elements = CountElements(view.Out(i)).value().value_or(0);
    progress.unread_constants[name] = elements;
    totals.parameters += elements;
  }
  totals.depth = std::max(totals.depth, depth);
  totals.activation_bytes += bytes;
  totals.layers.back().parameters = parameters;
  totals.layers.back().output_bytes = bytes.value();
}

const Graph* FindSubgraph(const Node& node, std::string_view attribute) {
  const Attribute* found = node.Find(attribute);
  if (found == nullptr) return nullptr;
  auto* graphs = std::get_if<std::vector<Graph>>(&found->value);
  return graphs == nullptr || graphs->empty() ? nullptr : &graphs->front();
}

ValueFacts Merge(const ValueFacts& a, const ValueFacts& b) {
  ValueFacts merged;
  if (a.type == b.type) merged.type = a.type;
  if (!a.shape || !b.shape || a.shape->size() != b.shape->size()) {
    return merged;
  }
  merged.shape = a.shape;
  for (size_t i = 0; i < a.shape->size(); ++i) {
    if ((*a.shape)[i] != (*b.shape)[i]) (*merged.shape)[i] = Dimension{};
  }
  return merged;
}

}  // namespace mete
