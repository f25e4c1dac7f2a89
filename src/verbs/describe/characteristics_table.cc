#include "describe/characteristics_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "describe/amount.h"
#include "support/text.h"
#include "support/units.h"

namespace mete {
namespace {

using Count = std::optional<uint64_t>;

std::string Exact(const Count& count) {
  return count ? std::to_string(*count) : "";
}

std::string Scaled(const Count& count) {
  return count ? FormatScaled(static_cast<double>(*count)) : "unknown";
}

std::string Cell(const Count& count) {
  return count ? FormatScaled(static_cast<double>(*count)) : "?";
}

std::string Whole(const Count& count) {
  return count ? FormatCount(*count) : "unknown";
}

std::string Memory(const Count& count) {
  return count ? FormatBytes(Bytes{*count}) : "unknown";
}

// "Conv 20, Relu 17, …": the most frequent first, as many as fit.
std::string Frequent(const std::map<std::string, uint64_t>& operators,
                     size_t width) {
  std::vector<std::pair<std::string, uint64_t>> sorted(operators.begin(),
                                                       operators.end());
  std::stable_sort(
      sorted.begin(), sorted.end(),
      [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (const auto& [op, count] : sorted) {
    std::string entry =
        fmt::format("{}{} {}", text.empty() ? "" : ", ", op, count);
    if (text.size() + entry.size() + 3 > width) return text + ", …";
    text += entry;
  }
  return text;
}

std::string FormatShapes(const std::vector<GraphValue>& values, size_t width) {
  std::vector<std::string> shapes;
  for (const GraphValue& value : values) {
    shapes.push_back(value.type.shape ? FormatShape(*value.type.shape) : "?");
  }
  return ShortenMiddle(fmt::format("{}", fmt::join(shapes, ", ")), width);
}

std::string ShapeText(const std::optional<Shape>& shape) {
  return shape ? FormatShape(*shape) : "";
}

}  // namespace

Table MetricsForPeople(const Characteristics& described) {
  // Width left of 80 columns after the longest name and two blanks.
  constexpr size_t kWidth = 57;
  const LayerCounts& counts = described.layer_counts;
  Table table({{"metric"}, {"value"}});
  table.AddRow({"kind", counts.kind});
  table.AddRow({"opset", std::to_string(described.opset)});
  table.AddRow({"inputs", FormatShapes(described.inputs, kWidth)});
  table.AddRow({"outputs", FormatShapes(described.outputs, kWidth)});
  table.AddRow({"parameters", Whole(counts.parameters)});
  table.AddRow({"convolutions", FormatCount(counts.convolutions)});
  table.AddRow({"filters", Whole(counts.filters)});
  table.AddRow({"pools", FormatCount(counts.pools)});
  table.AddRow({"dense_layers", FormatCount(counts.dense_layers)});
  table.AddRow({"recurrent_layers", FormatCount(counts.recurrent_layers)});
  table.AddRow({"macs", Scaled(described.macs)});
  table.AddRow({"flops", Scaled(described.flops)});
  for (const auto& [name, macs] : described.macs_by_class) {
    table.AddRow({"macs in " + name, Scaled(macs)});
  }
  table.AddRow({"weight_bytes", Memory(described.weight_bytes)});
  table.AddRow({"activation_bytes", Memory(described.activation_bytes)});
  table.AddRow(
      {"peak_activation_bytes", Memory(described.peak_activation_bytes)});
  table.AddRow({"model_input_size", Memory(described.model_input_size)});
  table.AddRow({"model_output_size", Memory(described.model_output_size)});
  table.AddRow({"depth", std::to_string(described.depth)});
  table.AddRow({"operators", Frequent(described.operators, kWidth)});
  table.AddRow({"sha256", ShortenMiddle(described.sha256, kWidth)});
  const LegacyCounts& compat = described.counts;
  table.AddRow({"compat", "counts by the rules of the PEPPER profiler"});
  table.AddRow({"  network_type", compat.network_type});
  table.AddRow({"  total_parameters", FormatCount(compat.total_parameters)});
  table.AddRow({"  conv_layers", FormatCount(compat.conv_layers)});
  table.AddRow({"  pool_layers", FormatCount(compat.pool_layers)});
  table.AddRow({"  fc_layers", FormatCount(compat.fc_layers)});
  table.AddRow({"  filter_details", FormatCount(compat.filter_details)});
  return table;
}

Table OperatorsForPeople(const Characteristics& described) {
  struct Sum {
    uint64_t nodes = 0;
    Amount macs;
    Amount bytes;
    uint64_t parameters = 0;
  };
  std::map<std::string, Sum> by_operator;
  for (const LayerCost& layer : described.layers) {
    if (layer.op == "Constant") continue;
    Sum& sum = by_operator[layer.op];
    ++sum.nodes;
    sum.macs += layer.macs;
    sum.bytes += layer.output_bytes;
    sum.parameters += layer.parameters;
  }
  std::vector<std::pair<std::string, Sum>> sums(by_operator.begin(),
                                                by_operator.end());
  std::stable_sort(sums.begin(), sums.end(), [](const auto& a, const auto& b) {
    return a.second.macs.value().value_or(0) >
           b.second.macs.value().value_or(0);
  });
  Table table({{"operator"},
               {"nodes", Align::kRight},
               {"macs", Align::kRight},
               {"weights", Align::kRight},
               {"bytes", Align::kRight}});
  for (const auto& [op, sum] : sums) {
    table.AddRow({ShortenMiddle(op, 40), std::to_string(sum.nodes),
                  Cell(sum.macs.value()),
                  FormatScaled(static_cast<double>(sum.parameters)),
                  Cell(sum.bytes.value())});
  }
  return table;
}

Table LayersForPeople(const Characteristics& described, size_t top) {
  constexpr size_t kName = 22;
  constexpr size_t kOperator = 16;
  constexpr size_t kShape = 15;
  Table table({{"name"},
               {"op"},
               {"output"},
               {"macs", Align::kRight},
               {"weights", Align::kRight},
               {"bytes", Align::kRight}});
  std::vector<const LayerCost*> sorted;
  for (const LayerCost& layer : described.layers) {
    if (layer.op != "Constant") sorted.push_back(&layer);
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const LayerCost* a, const LayerCost* b) {
                     if (!a->macs || !b->macs) return a->macs && !b->macs;
                     return *a->macs > *b->macs;
                   });
  if (sorted.size() > top) sorted.resize(top);
  for (const LayerCost* layer : sorted) {
    table.AddRow({ShortenMiddle(layer->name, kName),
                  ShortenMiddle(layer->op, kOperator),
                  ShortenMiddle(ShapeText(layer->output_shape), kShape),
                  Cell(layer->macs),
                  FormatScaled(static_cast<double>(layer->parameters)),
                  Cell(layer->output_bytes)});
  }
  return table;
}

Table MetricsAsRow(const Characteristics& described) {
  const LegacyCounts& counts = described.counts;
  const LayerCounts& actual = described.layer_counts;
  const std::vector<std::pair<std::string, std::string>> cells = {
      {"conv_layers", std::to_string(counts.conv_layers)},
      {"pool_layers", std::to_string(counts.pool_layers)},
      {"fc_layers", std::to_string(counts.fc_layers)},
      {"filter_details", std::to_string(counts.filter_details)},
      {"total_parameters", std::to_string(counts.total_parameters)},
      {"model_input_size", Exact(described.model_input_size)},
      {"model_output_size", Exact(described.model_output_size)},
      {"flops", Exact(described.flops)},
      {"macs", Exact(described.macs)},
      {"weight_bytes", std::to_string(described.weight_bytes)},
      {"activation_bytes", Exact(described.activation_bytes)},
      {"peak_activation_bytes", Exact(described.peak_activation_bytes)},
      {"depth", std::to_string(described.depth)},
      {"opset", std::to_string(described.opset)},
      {"network_type", counts.network_type},
      {"sha256", described.sha256},
      {"parameters", Exact(actual.parameters)},
      {"convolutions", std::to_string(actual.convolutions)},
      {"filters", Exact(actual.filters)},
      {"pools", std::to_string(actual.pools)},
      {"dense_layers", std::to_string(actual.dense_layers)},
      {"recurrent_layers", std::to_string(actual.recurrent_layers)},
      {"kind", actual.kind}};
  std::vector<Table::Column> columns;
  std::vector<std::string> row;
  for (const auto& [name, cell] : cells) {
    columns.push_back({name});
    row.push_back(cell);
  }
  Table table(std::move(columns));
  table.AddRow(std::move(row));
  return table;
}

Table LayersAsRows(const Characteristics& described) {
  Table table({{"name"},
               {"op"},
               {"output_shape"},
               {"macs"},
               {"parameters"},
               {"output_bytes"},
               {"flops"},
               {"class"}});
  for (const LayerCost& layer : described.layers) {
    table.AddRow({layer.name, layer.op, ShapeText(layer.output_shape),
                  Exact(layer.macs), std::to_string(layer.parameters),
                  Exact(layer.output_bytes), Exact(layer.flops),
                  layer.cost_class});
  }
  return table;
}

}  // namespace mete
