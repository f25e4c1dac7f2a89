#include "describe/describe.h"

#include <fmt/format.h>

#include "describe/function_inlining.h"
#include "describe/graph_walk.h"
#include "describe/layer_counts.h"
#include "describe/legacy_counts.h"
#include "describe/make_up.h"
#include "domain/input_shapes.h"
#include "support/units.h"

namespace mete {
namespace {

// Version of the standard operator set; 0 when the network does not use it.
int64_t FindOpset(const Network& network) {
  for (const OperatorSet& set : network.operator_sets) {
    if (set.domain.empty()) return set.version;
  }
  return 0;
}

Amount TotalBytes(const std::vector<GraphValue>& values) {
  Amount bytes;
  for (const GraphValue& value : values) {
    bytes += CountBytes({.type = value.type.type, .shape = value.type.shape});
  }
  return bytes;
}

std::string Nodes(uint64_t count) { return Counted(count, "node"); }

std::vector<std::string> MakeNotes(const WalkFindings& findings,
                                   const Characteristics& described,
                                   int64_t length) {
  std::vector<std::string> notes;
  if (auto open = OpenInputsNote(described.inputs, length)) {
    notes.push_back(*std::move(open));
  }
  for (const auto& [op, nodes] : findings.unknown_operators) {
    notes.push_back(
        fmt::format("no shape rule for {} ({}): its cost is not counted", op,
                    Nodes(nodes.size())));
  }
  for (const auto& [op, nodes] : findings.data_dependent) {
    notes.push_back(
        fmt::format("the output size of {} ({}) depends on the data", op,
                    Nodes(nodes.size())));
  }
  for (const std::string& other : findings.others) notes.push_back(other);
  std::string absent;
  auto check = [&](const char* name, const std::optional<uint64_t>& metric) {
    if (metric) return;
    absent += absent.empty() ? name : fmt::format(", {}", name);
  };
  check("model_input_size", described.model_input_size);
  check("model_output_size", described.model_output_size);
  check("flops", described.flops);
  check("macs", described.macs);
  check("activation_bytes", described.activation_bytes);
  check("peak_activation_bytes", described.peak_activation_bytes);
  if (!absent.empty()) {
    notes.push_back("absent, because a size is open: " + absent);
  }
  return notes;
}

// "0 of 62 convolutions"; empty when both rules agree.
std::string Fewer(uint64_t compat, uint64_t actual, const char* what) {
  if (compat == actual) return "";
  return fmt::format("{} {} instead of {}", FormatCount(compat), what,
                     FormatCount(actual));
}

// Predictions from the counts of PEPPER go astray where its rules overlook much
// of the network. Differences of a few percent (running statistics) are normal.
void NoteOverlooked(Characteristics& described) {
  const LayerCounts& actual = described.layer_counts;
  const LegacyCounts& compat = described.counts;
  std::vector<std::string> parts;
  auto add = [&](std::string part) {
    if (!part.empty()) parts.push_back(std::move(part));
  };
  add(Fewer(compat.conv_layers, actual.convolutions, "convolutions"));
  if (actual.parameters) {
    double ratio = (static_cast<double>(compat.total_parameters) + 1) /
                   (static_cast<double>(*actual.parameters) + 1);
    if (ratio < 0.9 || ratio > 1.1) {
      add(Fewer(compat.total_parameters, *actual.parameters, "parameters"));
    }
  }
  if (parts.empty()) return;
  described.notes.push_back(fmt::format(
      "PEPPER's rules (the compat counts) find {}", fmt::join(parts, ", ")));
}

Status TakeTotals(GraphTotals totals, const Graph& graph,
                  Characteristics& described) {
  for (const Amount* amount : {&totals.macs, &totals.flops,
                               &totals.activation_bytes, &totals.peak_bytes}) {
    if (amount->absurd()) return Corrupt("its cost is too large");
  }
  described.macs = totals.macs.value();
  described.flops = totals.flops.value();
  described.activation_bytes = totals.activation_bytes.value();
  described.peak_activation_bytes = totals.peak_bytes.value();
  described.depth = totals.depth;
  for (const auto& [name, macs] : totals.macs_by_class) {
    if (macs.value().value_or(0) > 0) {
      described.macs_by_class.emplace(name, *macs.value());
    }
  }
  for (size_t i = 0; i < graph.outputs.size(); ++i) {
    const ValueFacts& value = totals.outputs[i];
    described.outputs.push_back(
        {graph.outputs[i].name, {value.type, value.shape}});
  }
  described.model_output_size = TotalBytes(described.outputs).value();
  described.layers = std::move(totals.layers);
  return {};
}

// Values of the inputs, with unknown content.
std::vector<ValueFacts> MakeValues(const std::vector<GraphValue>& inputs) {
  std::vector<ValueFacts> values;
  for (const GraphValue& input : inputs) {
    values.push_back({.type = input.type.type, .shape = input.type.shape});
  }
  return values;
}

// Lengths to suggest for sequences: words, or samples of sound, of which a
// spectrogram needs hundreds.
constexpr int64_t kLengths[] = {kExampleLength, 512, 1024, 4096, 16'000};

// The first length with which the whole network can run or, if there is none,
// with which at least one branch of every If can.
int64_t FindLength(const Graph& graph, const std::vector<GraphValue>& inputs,
                   int64_t opset) {
  std::optional<int64_t> runs;
  for (int64_t length : kLengths) {
    std::vector<ShapeOverride> shapes = ExampleShapes(inputs, length);
    if (shapes.empty()) break;
    auto bound = BindInputs(inputs, {.shapes = std::move(shapes)});
    if (!bound.ok()) continue;
    GraphWalk walk({.symbols = bound->symbols, .opset = opset});
    if (!walk.Walk(graph, nullptr, MakeValues(bound->inputs)).ok()) continue;
    if (walk.findings().others.empty()) return length;
    if (!runs) runs = length;
  }
  return runs.value_or(kExampleLength);
}

Status DescribeGraph(const Graph& graph, const DescribeRequest& request,
                     Characteristics& described) {
  ASSIGN_OR_RETURN(BoundInputs bound,
                   BindInputs(graph.inputs, {.shapes = request.shapes,
                                             .batch = request.batch}));
  described.inputs = bound.inputs;
  described.model_input_size = TotalBytes(bound.inputs).value();
  GraphWalk walk({.symbols = bound.symbols, .opset = described.opset});
  auto totals = walk.Walk(graph, nullptr, MakeValues(bound.inputs));
  if (!totals.ok()) {
    // The network may be valid and only the requested sizes impossible.
    bool asked = !request.shapes.empty() || request.batch != 1;
    return asked ? InvalidInput(totals.error().message()) : totals.error();
  }
  bool attention = totals->macs_by_class.contains(kAttention);
  RETURN_IF_ERROR(TakeTotals(*std::move(totals), graph, described));
  described.operators = CountOperators(graph);
  for (const auto& [op, count] : described.operators) {
    attention = attention || op.find("Attention") != std::string::npos;
  }
  described.layer_counts = CountLayers(graph);
  described.layer_counts.kind = NameKind(described.layer_counts, attention);
  described.notes =
      MakeNotes(walk.findings(), described,
                FindLength(graph, described.inputs, described.opset));
  NoteOverlooked(described);
  if (!request.layers) described.layers.clear();
  return {};
}

}  // namespace

Result<Characteristics> Describe(const Network& network,
                                 const DescribeRequest& request) {
  Characteristics described;
  described.counts = CountLegacy(network.graph);
  described.opset = FindOpset(network);
  described.sha256 = network.sha256;
  auto weight_bytes = WeightBytes(network).value();
  if (!weight_bytes) return Corrupt("its weights are too large");
  described.weight_bytes = *weight_bytes;
  if (network.functions.empty()) {
    RETURN_IF_ERROR(DescribeGraph(network.graph, request, described));
    return described;
  }
  ASSIGN_OR_RETURN(Graph graph, InlineFunctions(network));
  RETURN_IF_ERROR(DescribeGraph(graph, request, described));
  return described;
}

int64_t SuggestLength(const Network& network) {
  auto find = [&](const Graph& graph) {
    auto bound = BindInputs(graph.inputs, {});
    return bound.ok() ? FindLength(graph, bound->inputs, FindOpset(network))
                      : kExampleLength;
  };
  if (network.functions.empty()) return find(network.graph);
  auto graph = InlineFunctions(network);
  return graph.ok() ? find(*graph) : kExampleLength;
}

}  // namespace mete
