#include "describe/characteristics_json.h"

#include "support/json.h"

namespace mete {
namespace {

void SetIfKnown(Json& json, const char* key,
                const std::optional<uint64_t>& count) {
  if (count) json[key] = *count;
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
    entry["type"] = ToString(value.type.type);
    if (value.type.shape) entry["shape"] = ShapeToJson(*value.type.shape);
    list.push_back(std::move(entry));
  }
  return list;
}

Json CountsToJson(const std::map<std::string, uint64_t>& counts) {
  // Not by object[name], which searches all keys: a hostile file has 100,000
  // operators of different names.
  Json::object_t object;
  object.reserve(counts.size());
  for (const auto& [name, count] : counts) object.emplace_back(name, count);
  return object;
}

Json LayerCountsToJson(const LayerCounts& counts) {
  Json json;
  SetIfKnown(json, "parameters", counts.parameters);
  json["convolutions"] = counts.convolutions;
  SetIfKnown(json, "filters", counts.filters);
  json["pools"] = counts.pools;
  json["dense_layers"] = counts.dense_layers;
  json["recurrent_layers"] = counts.recurrent_layers;
  json["kind"] = counts.kind;
  return json;
}

Json LayerToJson(const LayerCost& layer) {
  Json json;
  json["name"] = layer.name;
  json["op"] = layer.op;
  bool known = layer.output_shape && ElementCount(*layer.output_shape);
  if (known) json["output_shape"] = ShapeToJson(*layer.output_shape);
  SetIfKnown(json, "macs", layer.macs);
  json["parameters"] = layer.parameters;
  SetIfKnown(json, "input_bytes", layer.input_bytes);
  SetIfKnown(json, "output_bytes", layer.output_bytes);
  SetIfKnown(json, "flops", layer.flops);
  SetIfKnown(json, "kernel_points", layer.kernel_points);
  json["class"] = layer.cost_class;
  return json;
}

// Reads the keys of one object and remembers the first error.
class Keys {
 public:
  Keys(const SortedJson& json, std::string where)
      : json_(json), where_(std::move(where)) {}

  std::optional<uint64_t> Count(const char* key) {
    auto found = json_.find(key);
    if (found == json_.end()) return std::nullopt;
    if (found->is_number_unsigned()) return found->get<uint64_t>();
    Blame(key, "is not a whole number");
    return std::nullopt;
  }
  uint64_t Required(const char* key) {
    auto count = Count(key);
    if (!count) Blame(key, "is missing");
    return count.value_or(0);
  }
  std::string Text(const char* key) {
    auto found = json_.find(key);
    if (found == json_.end()) return "";
    if (found->is_string()) return found->get<std::string>();
    Blame(key, "is not a string");
    return "";
  }
  // Sizes that are not numbers are open.
  std::optional<Shape> Sizes(const char* key) {
    auto found = json_.find(key);
    if (found == json_.end()) return std::nullopt;
    if (!found->is_array()) {
      Blame(key, "is not a list");
      return std::nullopt;
    }
    Shape shape;
    for (const SortedJson& size : *found) {
      Dimension dimension;
      if (size.is_number_unsigned()) dimension.size = size.get<int64_t>();
      shape.push_back(dimension);
    }
    return shape;
  }
  Status status() const {
    return wrong_.empty() ? Status() : Status(InvalidInput(wrong_));
  }

 private:
  void Blame(const char* key, const char* what) {
    if (wrong_.empty()) wrong_ = where_ + key + " " + what;
  }

  const SortedJson& json_;
  std::string where_;
  std::string wrong_;
};

Result<LayerCost> LayerFromJson(const SortedJson& json, size_t number) {
  std::string where = "layers[" + std::to_string(number) + "]";
  if (!json.is_object()) return InvalidInput(where + " is not an object");
  Keys keys(json, where + ".");
  LayerCost layer{.name = keys.Text("name"),
                  .op = keys.Text("op"),
                  .output_shape = keys.Sizes("output_shape"),
                  .macs = keys.Required("macs"),
                  .flops = keys.Required("flops"),
                  .parameters = keys.Required("parameters"),
                  .input_bytes = keys.Required("input_bytes"),
                  .output_bytes = keys.Required("output_bytes"),
                  .kernel_points = keys.Count("kernel_points"),
                  .cost_class = keys.Text("class")};
  RETURN_IF_ERROR(keys.status());
  return layer;
}

}  // namespace

Result<Characteristics> CharacteristicsFromJson(const SortedJson& json) {
  if (!json.is_object()) return InvalidInput("expected an object");
  Keys keys(json, "");
  Characteristics described;
  described.counts = {.conv_layers = keys.Required("conv_layers"),
                      .pool_layers = keys.Required("pool_layers"),
                      .fc_layers = keys.Required("fc_layers"),
                      .filter_details = keys.Required("filter_details"),
                      .total_parameters = keys.Required("total_parameters"),
                      .network_type = keys.Text("network_type")};
  described.model_input_size = keys.Required("model_input_size");
  described.model_output_size = keys.Required("model_output_size");
  described.flops = keys.Required("flops");
  described.macs = keys.Required("macs");
  described.weight_bytes = keys.Required("weight_bytes");
  described.activation_bytes = keys.Required("activation_bytes");
  described.peak_activation_bytes = keys.Required("peak_activation_bytes");
  described.depth = keys.Required("depth");
  described.sha256 = keys.Text("sha256");
  RETURN_IF_ERROR(keys.status());
  auto layers = json.find("layers");
  if (layers == json.end() || !layers->is_array()) {
    return InvalidInput("layers is missing");
  }
  for (const SortedJson& layer : *layers) {
    ASSIGN_OR_RETURN(LayerCost cost,
                     LayerFromJson(layer, described.layers.size()));
    described.layers.push_back(std::move(cost));
  }
  return described;
}

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
  json["counts"] = LayerCountsToJson(described.layer_counts);
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
