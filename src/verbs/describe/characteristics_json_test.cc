#include "describe/characteristics_json.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

#include "support/json.h"

namespace {
thread_local uint64_t comparisons = 0;
}  // namespace

// Replaces the function of the C library in this program, to count how often
// strings of equal length are compared.
extern "C" int memcmp(const void* a, const void* b, size_t size) noexcept {
  ++comparisons;
  const auto* left = static_cast<const unsigned char*>(a);
  const auto* right = static_cast<const unsigned char*>(b);
  for (size_t at = 0; at < size; ++at) {
    if (left[at] != right[at]) return left[at] < right[at] ? -1 : 1;
  }
  return 0;
}

namespace mete {
namespace {

std::vector<std::string> ListKeys(const Json& json) {
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
  EXPECT_EQ(ListKeys(ToJson(Complete())),
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
                                      "counts",
                                      "inputs",
                                      "outputs",
                                      "notes"}));
}

TEST(CharacteristicsJson, OmitsAbsentValues) {
  Characteristics described = Complete();
  described.macs.reset();
  EXPECT_FALSE(ToJson(described).contains("macs"));
  EXPECT_EQ(ToJson(described)["flops"], 3);
}

TEST(CharacteristicsJson, ListsLayersWithTheDocumentedKeys) {
  Characteristics described = Complete();
  described.layers.push_back({.name = "conv1",
                              .op = "Conv",
                              .output_shape = KnownShape({1, 2, 3}),
                              .macs = 7,
                              .flops = 14,
                              .parameters = 8,
                              .input_bytes = 12,
                              .output_bytes = 24,
                              .kernel_points = 9,
                              .cost_class = "conv"});
  Json layer = ToJson(described)["layers"][0];
  EXPECT_EQ(ListKeys(layer), (std::vector<std::string>{
                                 "name", "op", "output_shape", "macs",
                                 "parameters", "input_bytes", "output_bytes",
                                 "flops", "kernel_points", "class"}));
  EXPECT_EQ(layer["output_shape"], Json::parse("[1, 2, 3]"));
}

TEST(CharacteristicsJson, RoundTripsWhatPredictionsNeed) {
  Characteristics described = Complete();
  described.layers.push_back({.name = "conv1",
                              .op = "Conv",
                              .output_shape = KnownShape({1, 2, 3}),
                              .macs = 7,
                              .flops = 14,
                              .parameters = 8,
                              .input_bytes = 12,
                              .output_bytes = 24,
                              .kernel_points = 9,
                              .cost_class = "conv"});
  auto back =
      CharacteristicsFromJson(SortedJson::parse(ToJson(described).dump()));
  ASSERT_TRUE(back.ok()) << back.error().message();
  EXPECT_EQ(back->flops, described.flops);
  EXPECT_EQ(back->peak_activation_bytes, described.peak_activation_bytes);
  EXPECT_EQ(back->counts.total_parameters, described.counts.total_parameters);
  ASSERT_EQ(back->layers.size(), 1u);
  EXPECT_EQ(back->layers[0].kernel_points, 9u);
  EXPECT_EQ(back->layers[0].input_bytes, 12u);
  EXPECT_EQ((*back->layers[0].output_shape)[2].size, 3);
  EXPECT_EQ(back->layers[0].cost_class, "conv");
}

TEST(CharacteristicsJson, NamesAMissingOrWrongKey) {
  SortedJson json = SortedJson::parse(ToJson(Complete()).dump());
  json["layers"] = SortedJson::parse(R"([{"macs": 1}])");
  EXPECT_EQ(CharacteristicsFromJson(json).error().message(),
            "layers[0].flops is missing");
  json["flops"] = -3;
  EXPECT_EQ(CharacteristicsFromJson(json).error().message(),
            "flops is not a whole number");
  json.erase("flops");
  EXPECT_EQ(CharacteristicsFromJson(json).error().message(),
            "flops is missing");
}

// How often names are compared in the JSON of so many different operators.
uint64_t ComparisonsFor(int operators) {
  Characteristics described = Complete();
  for (int i = 0; i < operators; ++i) {
    described.operators["operator " + std::to_string(1000 + i)] = 1;
  }
  const uint64_t before = comparisons;
  ToJson(described);
  return comparisons - before;
}

// If each name were compared with all before it, 400 names would take 79,800
// comparisons.
TEST(CharacteristicsJson, DoesNotCompareEveryOperatorWithAllOthers) {
  const uint64_t few = ComparisonsFor(100);
  EXPECT_GT(few, 0u);  // they are counted
  EXPECT_LE(ComparisonsFor(400), 5 * few);
}

TEST(CharacteristicsJson, OmitsAnOpenOutputShape) {
  Characteristics described = Complete();
  described.layers.push_back({.output_shape = Shape{Dimension{}}});
  EXPECT_FALSE(ToJson(described)["layers"][0].contains("output_shape"));
}

}  // namespace
}  // namespace mete
