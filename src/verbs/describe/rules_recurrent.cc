// Recurrent layers: RNN, GRU, LSTM.
#include <fmt/format.h>

#include "describe/operator_rules.h"

namespace mete {
namespace {

// The gates of a cell, and its operations per hidden unit and step apart from
// matrix products and biases (sums of the two products, activations, gating).
struct Cell {
  uint64_t gates;
  uint64_t gating;
};

Cell ReadCell(const Node& node) {
  if (node.op == "RNN") return {.gates = 1, .gating = 2};
  if (node.op == "GRU") return {.gates = 3, .gating = 11};
  return {.gates = 4, .gating = 13};
}

// Sizes of a layer, independent of the order of the axes in the file.
struct Layer {
  Dimension steps;
  Dimension batch;
  Dimension features;
  Dimension directions;
  Dimension hidden;
  bool batch_first = false;
};

Result<Layer> ReadLayer(const NodeView& view) {
  Layer layer;
  layer.batch_first = view.node().Integer("layout", 0) != 0;
  if (const Shape* input = view.InShape(0)) {
    if (input->size() != 3) {
      return Contradiction(fmt::format("the input {} does not have three axes",
                                       FormatShape(*input)));
    }
    layer.steps = (*input)[layer.batch_first ? 1 : 0];
    layer.batch = (*input)[layer.batch_first ? 0 : 1];
    layer.features = (*input)[2];
  }
  bool both = view.node().Text("direction", "forward") == "bidirectional";
  layer.directions = Dimension{.size = both ? 2 : 1};
  const Shape* recurrence = view.InShape(2);
  if (view.node().Find("hidden_size") != nullptr) {
    ASSIGN_OR_RETURN(layer.hidden,
                     DimensionFrom(view.node().Integer("hidden_size", 0)));
  } else if (recurrence != nullptr && recurrence->size() == 3) {
    layer.hidden = recurrence->back();
  }
  return layer;
}

// W is [directions, gates x hidden, features]. In the quantized LSTM the last
// two axes are swapped.
Status CheckWeight(const NodeView& view, const Layer& layer) {
  const Shape* weight = view.InShape(1);
  if (weight == nullptr || view.node().op == "DynamicQuantizeLSTM") return {};
  if (weight->size() != 3) {
    return Contradiction(fmt::format("the weight {} does not have three axes",
                                     FormatShape(*weight)));
  }
  auto differs = [](const Dimension& a, const Dimension& b) {
    return a.size && b.size && *a.size != *b.size;
  };
  if (differs((*weight)[0], layer.directions) ||
      differs((*weight)[2], layer.features)) {
    return Contradiction(fmt::format("the weight {} does not match {} features",
                                     FormatShape(*weight),
                                     FormatShape({layer.features})));
  }
  return {};
}

Status Recurring(NodeView& view) {
  ASSIGN_OR_RETURN(Layer layer, ReadLayer(view));
  RETURN_IF_ERROR(CheckWeight(view, layer));
  ElementType type = view.In(0).type;
  if (layer.batch_first) {
    Shape last = {layer.batch, layer.directions, layer.hidden};
    view.Set(0, type,
             Shape{layer.batch, layer.steps, layer.directions, layer.hidden});
    view.Set(1, type, last);
    view.Set(2, type, last);
    return {};
  }
  Shape last = {layer.directions, layer.batch, layer.hidden};
  view.Set(0, type,
           Shape{layer.steps, layer.directions, layer.batch, layer.hidden});
  view.Set(1, type, last);
  view.Set(2, type, last);
  return {};
}

Cost CostOfRecurring(const NodeView& view) {
  auto layer = ReadLayer(view);
  if (!layer.ok()) return {.cost_class = kRnn};
  Cell cell = ReadCell(view.node());
  Amount units = ComputeSize(layer->steps) * ComputeSize(layer->batch) *
                 ComputeSize(layer->directions) * ComputeSize(layer->hidden);
  Amount macs = units * cell.gates *
                (ComputeSize(layer->features) + ComputeSize(layer->hidden));
  // B holds one bias for the input product and one for the recurrent product.
  uint64_t biases = view.Has(3) ? cell.gates * 2 : 0;
  return MultiplyAdds(kRnn, macs, units * (cell.gating + biases));
}

constexpr OperatorRule kRecurrentRules[] = {
    {"RNN", Recurring, CostOfRecurring},
    {"GRU", Recurring, CostOfRecurring},
    {"LSTM", Recurring, CostOfRecurring},
    {"DynamicQuantizeLSTM", Recurring, CostOfRecurring},
};

}  // namespace

std::span<const OperatorRule> RecurrentRules() { return kRecurrentRules; }

}  // namespace mete
