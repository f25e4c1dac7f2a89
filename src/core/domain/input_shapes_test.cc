#include "domain/input_shapes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mete {
namespace {

using ::testing::HasSubstr;

GraphValue Input(const std::string& name, Shape shape) {
  return {.name = name,
          .type = {.type = ElementType::kFloat, .shape = std::move(shape)}};
}

TEST(InputShapes, AnOpenFirstSizeIsTheBatch) {
  auto bound =
      BindInputs({Input("x", {{.symbol = "n"}, {.size = 3}})}, {.batch = 4});
  ASSERT_TRUE(bound.ok());
  EXPECT_EQ(bound->inputs[0].type.shape, KnownShape({4, 3}));
  EXPECT_EQ(bound->symbols.at("n"), 4);
}

TEST(InputShapes, AppliesAGivenSizeWhereverItsSymbolOccurs) {
  auto bound = BindInputs({Input("ids", {{.size = 1}, {.symbol = "seq"}}),
                           Input("mask", {{.size = 1}, {.symbol = "seq"}})},
                          {.shapes = {{"ids", {1, 16}}}});
  ASSERT_TRUE(bound.ok());
  EXPECT_EQ(bound->inputs[1].type.shape, KnownShape({1, 16}));
}

TEST(InputShapes, RefusesABatchThatNoInputTakes) {
  Status refused = CheckBatch({Input("x", {{.size = 2}, {.size = 3}})}, 4);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), ErrorCode::kInvalidInput);
  EXPECT_EQ(refused.error().message(),
            "--batch 4: no input has an open first size (fixed by the network, "
            "--shape or --input)");
}

TEST(InputShapes, TakesABatchThatEqualsAFixedFirstSize) {
  EXPECT_TRUE(CheckBatch({Input("x", {{.size = 4}, {.size = 3}})}, 4).ok());
  EXPECT_TRUE(CheckBatch({}, 4).ok());
}

TEST(InputShapes, RejectsASizeThatContradictsAFixedOne) {
  auto bound = BindInputs({Input("x", {{.size = 1}, {.size = 3}})},
                          {.shapes = {{"x", {1, 4}}}});
  ASSERT_FALSE(bound.ok());
  EXPECT_EQ(bound.error().message(), "input 'x' is 1x3, not 1x4");
}

TEST(InputShapes, SuggestsTheNearestNameForAnUnknownInput) {
  auto bound =
      BindInputs({Input("input", {{.size = 1}})}, {.shapes = {{"imput", {1}}}});
  ASSERT_FALSE(bound.ok());
  EXPECT_THAT(bound.error().message(), HasSubstr("did you mean 'input'?"));
}

TEST(InputShapes, NamesTheFlagThatSetsAnOpenSize) {
  EXPECT_EQ(OpenInputsNote({Input("ids", {{.size = 1}, {.symbol = "seq"}})}),
            "input 'ids' is 1xseq; give the open sizes, e.g. --shape "
            "ids=1x128");
  GraphValue unknown = Input("x", {});
  unknown.type.shape.reset();
  EXPECT_EQ(OpenInputsNote({unknown}, 16),
            "input 'x' has no stated shape; give the open sizes, e.g. --shape "
            "x=1x16");
  EXPECT_EQ(OpenInputsNote({Input("x", {{.size = 1}})}), std::nullopt);
}

TEST(InputShapes, NamesTheFlagsOfAllInputsAtOnce) {
  EXPECT_EQ(OpenInputsNote({Input("sound", {{.size = 1}, {}}),
                            Input("state", {{.size = 2}, {}, {.size = 8}})}),
            "input 'sound' is 1x?, input 'state' is 2x?x8; give the open "
            "sizes, e.g. --shape sound=1x128 --shape state=2x1x8");
}

std::string ExampleOf(const std::vector<GraphValue>& inputs) {
  std::string text;
  for (const ShapeOverride& shape : ExampleShapes(inputs, 128)) {
    text += (text.empty() ? "" : " ") + ToString(shape);
  }
  return text;
}

TEST(InputShapes, SuggestsABatchOfOneWhereverTheBatchIs) {
  EXPECT_EQ(ExampleOf({Input("state", {{.size = 2}, {}, {.size = 8}})}),
            "state=2x1x8");
  EXPECT_EQ(
      ExampleOf({Input("x", {{.symbol = "time"}, {.symbol = "batch_size"}})}),
      "x=1x1");
}

TEST(InputShapes, SuggestsALengthForANamedAxisInTheMiddle) {
  EXPECT_EQ(
      ExampleOf({Input("hidden",
                       {{.size = 1}, {.symbol = "sequence"}, {.size = 288}})}),
      "hidden=1x128x288");
}

TEST(InputShapes, SuggestsPicturesWithTheirChannelsInEitherPlace) {
  EXPECT_EQ(ExampleOf({Input("x", {{.symbol = "n"}, {.size = 3}, {}, {}})}),
            "x=1x3x640x640");
  EXPECT_EQ(ExampleOf({Input("x", {{}, {}, {}, {}})}), "x=1x3x640x640");
  EXPECT_EQ(ExampleOf({Input("x", {{}, {}, {}, {.size = 3}})}),
            "x=1x640x640x3");
  EXPECT_EQ(
      ExampleOf({Input(
          "line",
          {{.size = 1}, {.size = 1}, {.size = 64}, {.symbol = "width"}})}),
      "line=1x1x64x640");
}

// The keys and values that a decoder has computed already.
TEST(InputShapes, FourAxesAreNotAlwaysAPicture) {
  EXPECT_EQ(ExampleOf({Input(
                "past",
                {{.size = 1}, {.size = 8}, {.symbol = "past"}, {.size = 36}})}),
            "past=1x8x128x36");
}

TEST(InputShapes, SuggestsEverySymbolOnce) {
  Shape past = {{.size = 1}, {.size = 8}, {.symbol = "past"}, {.size = 36}};
  EXPECT_EQ(ExampleOf({Input("ids", {{.size = 1}, {.symbol = "seq"}}),
                       Input("mask", {{.size = 1}, {.symbol = "seq"}}),
                       Input("key", past), Input("value", past)}),
            "ids=1x128 key=1x8x128x36");
}

}  // namespace
}  // namespace mete
