#include "describe/characteristics_json.h"

namespace mete {
namespace {

void SetIfKnown(Json& json, const char* key,
                const std::optional<uint64_t>& figure) {
  if (figure) json[key] = *figure;
}

// Sizes as numbers, open ones as their symbol or null.
Json ShapeToJson(const Shape& shape) {
  Json sizes = Json::array();
  for (const Dimension& dimension : shape) {
    if (dimension.size) {
      sizes.push_back(*dimension.size);
    } else if (dimension.symbol.empty()) {
      sizes.push_back(nullptr);
    } else {
      sizes.push_back(dimension.symbol);
    }
  }
  return sizes;
}

Json ValuesToJson(const std::vector<GraphValue>& values) {
  Json list = Json::array();
  for (const GraphValue& value : values) {
    Json entry;
    entry["name"] = value.name;
    entry["type"] = NameOf(value.type.type);
    if (value.type.shape) entry["shape"] = ShapeToJson(*value.type.shape);
    list.push_back(std::move(entry));
  }
  return list;
}

Json CountsToJson(const std::map<std::string, uint64_t>& counts) {
  Json object = Json::object();
  for (const auto& [name, count] : counts) object[name] = count;
  return object;
}

Json LayerToJson(const LayerCost& layer) {
  Json json;
  json["name"] = layer.name;
  json["op"] = layer.op;
  bool known = layer.output_shape && ElementCount(*layer.output_shape);
  if (known) json["output_shape"] = ShapeToJson(*layer.output_shape);
  SetIfKnown(json, "macs", layer.macs);
  json["parameters"] = layer.parameters;
  SetIfKnown(json, "output_bytes", layer.output_bytes);
  SetIfKnown(json, "flops", layer.flops);
  json["class"] = layer.cost_class;
  return json;
}

}  // namespace

Json ToJson(const Characteristics& described) {
  Json json;
  json["conv_layers"] = described.counts.conv_layers;
  json["pool_layers"] = described.counts.pool_layers;
  json["fc_layers"] = described.counts.fc_layers;
  json["filter_details"] = described.counts.filter_details;
  json["total_parameters"] = described.counts.total_parameters;
  SetIfKnown(json, "model_input_size", described.model_input_size);
  SetIfKnown(json, "model_output_size", described.model_output_size);
  SetIfKnown(json, "flops", described.flops);
  SetIfKnown(json, "macs", described.macs);
  json["weight_bytes"] = described.weight_bytes;
  SetIfKnown(json, "activation_bytes", described.activation_bytes);
  SetIfKnown(json, "peak_activation_bytes", described.peak_activation_bytes);
  json["depth"] = described.depth;
  json["opset"] = described.opset;
  json["operators"] = CountsToJson(described.operators);
  json["macs_by_class"] = CountsToJson(described.macs_by_class);
  json["network_type"] = described.counts.network_type;
  json["sha256"] = described.sha256;
  json["inputs"] = ValuesToJson(described.inputs);
  json["outputs"] = ValuesToJson(described.outputs);
  if (!described.layers.empty()) {
    Json layers = Json::array();
    for (const LayerCost& layer : described.layers) {
      layers.push_back(LayerToJson(layer));
    }
    json["layers"] = std::move(layers);
  }
  json["notes"] = described.notes;
  return json;
}

}  // namespace mete
