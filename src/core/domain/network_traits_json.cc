#include "domain/network_traits_json.h"

#include "support/json.h"

namespace mete {
namespace {

Json CountsToJson(const LegacyCounts& counts) {
  Json json;
  json["conv_layers"] = counts.conv_layers;
  json["pool_layers"] = counts.pool_layers;
  json["fc_layers"] = counts.fc_layers;
  json["filter_details"] = counts.filter_details;
  json["total_parameters"] = counts.total_parameters;
  SetText(json, "network_type", counts.network_type);
  return json;
}

LegacyCounts CountsFromJson(const Json& json) {
  return {.conv_layers = json.at("conv_layers").get<uint64_t>(),
          .pool_layers = json.at("pool_layers").get<uint64_t>(),
          .fc_layers = json.at("fc_layers").get<uint64_t>(),
          .filter_details = json.at("filter_details").get<uint64_t>(),
          .total_parameters = json.at("total_parameters").get<uint64_t>(),
          .network_type = GetText(json, "network_type")};
}

Json WorkToJson(const ClassWork& work) {
  Json json;
  json["nodes"] = work.nodes;
  json["macs"] = work.macs;
  json["flops"] = work.flops;
  json["bytes"] = work.bytes;
  json["log_depth"] = work.log_depth;
  json["log_channels"] = work.log_channels;
  json["log_positions"] = work.log_positions;
  return json;
}

ClassWork WorkFromJson(const Json& json) {
  return {.nodes = json.at("nodes").get<double>(),
          .macs = json.at("macs").get<double>(),
          .flops = json.at("flops").get<double>(),
          .bytes = json.at("bytes").get<double>(),
          .log_depth = json.at("log_depth").get<double>(),
          .log_channels = json.at("log_channels").get<double>(),
          .log_positions = json.at("log_positions").get<double>()};
}

NetworkTraits Read(const Json& json) {
  NetworkTraits traits;
  traits.name = json.at("name").get<std::string>();
  traits.sha256 = json.at("sha256").get<std::string>();
  traits.batch = json.at("batch").get<int64_t>();
  traits.counts = CountsFromJson(json.at("counts"));
  auto number = [&](const char* key) { return json.at(key).get<double>(); };
  traits.input_bytes = number("input_bytes");
  traits.output_bytes = number("output_bytes");
  traits.flops = number("flops");
  traits.macs = number("macs");
  traits.weight_bytes = number("weight_bytes");
  traits.activation_bytes = number("activation_bytes");
  traits.peak_activation_bytes = number("peak_activation_bytes");
  traits.depth = number("depth");
  traits.nodes = number("nodes");
  const Json& work = json.at("work");
  for (size_t i = 0; i < kWorkClasses; ++i) {
    auto found = work.find(std::string(ToString(static_cast<WorkClass>(i))));
    if (found != work.end()) traits.work[i] = WorkFromJson(*found);
  }
  return traits;
}

}  // namespace

Json NetworkTraitsToJson(const NetworkTraits& traits) {
  Json json;
  json["name"] = traits.name;
  json["sha256"] = traits.sha256;
  json["batch"] = traits.batch;
  json["counts"] = CountsToJson(traits.counts);
  json["input_bytes"] = traits.input_bytes;
  json["output_bytes"] = traits.output_bytes;
  json["flops"] = traits.flops;
  json["macs"] = traits.macs;
  json["weight_bytes"] = traits.weight_bytes;
  json["activation_bytes"] = traits.activation_bytes;
  json["peak_activation_bytes"] = traits.peak_activation_bytes;
  json["depth"] = traits.depth;
  json["nodes"] = traits.nodes;
  json["work"] = Json::object();
  for (size_t i = 0; i < kWorkClasses; ++i) {
    if (traits.work[i].nodes == 0) continue;
    json["work"][std::string(ToString(static_cast<WorkClass>(i)))] =
        WorkToJson(traits.work[i]);
  }
  return json;
}

Result<NetworkTraits> NetworkTraitsFromJson(const Json& json) {
  return ReadJson("network", [&] { return Read(json); });
}

}  // namespace mete
