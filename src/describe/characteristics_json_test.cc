#include "describe/characteristics_json.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

std::vector<std::string> KeysOf(const Json& json) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  return keys;
}

Characteristics Complete() {
  Characteristics described;
  described.model_input_size = 1;
  described.model_output_size = 2;
  described.flops = 3;
  described.macs = 4;
  described.activation_bytes = 5;
  described.peak_activation_bytes = 6;
  return described;
}

TEST(CharacteristicsJson, HasTheDocumentedKeysInOrder) {
  EXPECT_EQ(KeysOf(ToJson(Complete())),
            (std::vector<std::string>{"conv_layers",
                                      "pool_layers",
                                      "fc_layers",
                                      "filter_details",
                                      "total_parameters",
                                      "model_input_size",
                                      "model_output_size",
                                      "flops",
                                      "macs",
                                      "weight_bytes",
                                      "activation_bytes",
                                      "peak_activation_bytes",
                                      "depth",
                                      "opset",
                                      "operators",
                                      "macs_by_class",
                                      "network_type",
                                      "sha256",
                                      "inputs",
                                      "outputs",
                                      "notes"}));
}

TEST(CharacteristicsJson, LeavesOutWhatIsAbsent) {
  Characteristics described = Complete();
  described.macs.reset();
  EXPECT_FALSE(ToJson(described).contains("macs"));
  EXPECT_EQ(ToJson(described)["flops"], 3);
}

TEST(CharacteristicsJson, ListsLayersWithTheirKeys) {
  Characteristics described = Complete();
  described.layers.push_back({.name = "conv1",
                              .op = "Conv",
                              .output_shape = KnownShape({1, 2, 3}),
                              .macs = 7,
                              .flops = 14,
                              .parameters = 8,
                              .output_bytes = 24,
                              .cost_class = "conv"});
  Json layer = ToJson(described)["layers"][0];
  EXPECT_EQ(KeysOf(layer),
            (std::vector<std::string>{"name", "op", "output_shape", "macs",
                                      "parameters", "output_bytes", "flops",
                                      "class"}));
  EXPECT_EQ(layer["output_shape"], Json::parse("[1, 2, 3]"));
}

TEST(CharacteristicsJson, LeavesOutAnOpenOutputShape) {
  Characteristics described = Complete();
  described.layers.push_back({.output_shape = Shape{Dimension{}}});
  EXPECT_FALSE(ToJson(described)["layers"][0].contains("output_shape"));
}

}  // namespace
}  // namespace mete
