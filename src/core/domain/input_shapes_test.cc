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

TEST(InputShapes, ListsOpenSizesWithTheFlagThatSetsThem) {
  auto notes = OpenInputNotes({Input("ids", {{.size = 1}, {.symbol = "seq"}})});
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_THAT(notes[0], HasSubstr("--shape ids=1x128"));
  notes = OpenInputNotes({Input("x", {{.symbol = "n"}, {.size = 3}, {}, {}})});
  EXPECT_THAT(notes[0], HasSubstr("e.g. --shape x=1x3x640x640"));
}

TEST(InputShapes, SuggestsABatchOfOneWhereverTheBatchIs) {
  auto notes = OpenInputNotes({Input("state", {{.size = 2}, {}, {.size = 8}})});
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_THAT(notes[0], HasSubstr("--shape state=2x1x8"));
  notes = OpenInputNotes(
      {Input("x", {{.symbol = "time"}, {.symbol = "batch_size"}})});
  EXPECT_THAT(notes[0], HasSubstr("--shape x=1x1"));
}

}  // namespace
}  // namespace mete
