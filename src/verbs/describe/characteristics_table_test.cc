#include "describe/characteristics_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace mete {
namespace {

using testing::HasSubstr;

Characteristics WithLayer() {
  Characteristics described;
  described.macs = 1'814'073'344;
  described.layers.push_back(
      {.name = "/features/stage4/unit2/branch/conv/Conv_output_cast",
       .op = "SkipSimplifiedLayerNormalization",
       .output_shape = KnownShape({1, 1024, 1024, 1024}),
       .macs = 115'605'504,
       .parameters = 36'864,
       .output_bytes = 802'816,
       .cost_class = "conv"});
  return described;
}

size_t WidestLine(const std::string& text) {
  size_t widest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    size_t width = 0;
    for (char c : line) width += (static_cast<unsigned char>(c) >> 6) != 2;
    widest = std::max(widest, width);
  }
  return widest;
}

TEST(CharacteristicsTable, FitsEightyColumns) {
  Characteristics described = WithLayer();
  for (int i = 0; i < 40; ++i) {
    described.operators["Operator" + std::to_string(i)] = 10;
    described.inputs.push_back(
        {"x", {ElementType::kFloat, KnownShape({1, 3, 224, 224})}});
  }
  EXPECT_LE(WidestLine(LayersForPeople(described).Text()), 80u);
  EXPECT_LE(WidestLine(MetricsForPeople(described).Text()), 80u);
}

TEST(CharacteristicsTable, SortsLayersByCostAndSumsThemPerOperator) {
  Characteristics described;
  described.layers = {
      {.name = "c", .op = "Constant"},
      {.name = "small", .op = "Conv", .macs = 100, .output_bytes = 4},
      {.name = "open", .op = "Loop"},
      {.name = "large", .op = "Conv", .macs = 900, .output_bytes = 8},
      {.name = "relu", .op = "Relu", .macs = 0, .output_bytes = 8}};
  std::string layers = LayersForPeople(described).Text();
  EXPECT_LT(layers.find("large"), layers.find("small"));
  EXPECT_LT(layers.find("relu"), layers.find("open"));
  EXPECT_EQ(layers.find("Constant"), std::string::npos);
  std::string first = LayersForPeople(described, 1).Text();
  EXPECT_EQ(first.find("small"), std::string::npos);
  std::string sums = OperatorsForPeople(described).Text();
  EXPECT_THAT(sums, testing::ContainsRegex("\nConv +2 +1.00 k"));
  EXPECT_THAT(sums, testing::ContainsRegex("\nLoop +1 +\\?"));
}

TEST(CharacteristicsTable, PrintsUnknownForAnAbsentValue) {
  std::string text = MetricsForPeople(WithLayer()).Text();
  EXPECT_THAT(text, HasSubstr("1.81 G"));
  EXPECT_THAT(text, HasSubstr("unknown"));
}

TEST(CharacteristicsTable, KeepsThePepperCountsUnderOneHeading) {
  Characteristics described = WithLayer();
  described.layer_counts.convolutions = 62;
  std::string text = MetricsForPeople(described).Text();
  EXPECT_THAT(text, testing::ContainsRegex("\nconvolutions +62\n"));
  EXPECT_THAT(text, testing::ContainsRegex("\ncompat +.*PEPPER"));
  EXPECT_THAT(text, testing::ContainsRegex("\n  conv_layers +0\n"));
}

TEST(CharacteristicsTable, AbsentValuesAreEmptyCellsInCsv) {
  EXPECT_THAT(MetricsAsRow(WithLayer()).Csv(),
              HasSubstr("\n0,0,0,0,0,,,,1814073344,0,,,0,0,,,,0,,0,0,0,\n"));
}

}  // namespace
}  // namespace mete
