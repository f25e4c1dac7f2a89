#include "adapters/onnxruntime/input_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mete {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// 'image' of ?x2 floats and 'mask' of 4 bytes.
std::vector<GraphValue> TwoInputs() {
  return {{.name = "image",
           .type = {.type = ElementType::kFloat,
                    .shape = Shape{{.symbol = "n"}, {.size = 2}}}},
          {.name = "mask",
           .type = {.type = ElementType::kUint8, .shape = Shape{{.size = 4}}}}};
}

TensorValue Image(std::vector<int64_t> sizes, size_t bytes) {
  return {.name = "image",
          .type = ElementType::kFloat,
          .sizes = std::move(sizes),
          .bytes = std::vector<std::byte>(bytes)};
}

TensorValue Mask() {
  return {.name = "mask",
          .type = ElementType::kUint8,
          .sizes = {4},
          .bytes = std::vector<std::byte>(4)};
}

std::string MismatchMessage(const std::vector<TensorValue>& given) {
  auto order = MatchInputs(TwoInputs(), given);
  EXPECT_FALSE(order.ok());
  return order.ok() ? "" : order.error().message();
}

TEST(MatchInputs, FindsValuesInAnyOrder) {
  std::vector<TensorValue> given{Mask(), Image({3, 2}, 24)};
  auto order = MatchInputs(TwoInputs(), given);
  ASSERT_TRUE(order.ok()) << order.error().message();
  EXPECT_THAT(*order, ElementsAre(1, 0));
}

TEST(MatchInputs, SuggestsTheNearestName) {
  auto wrong = Image({3, 2}, 24);
  wrong.name = "imago";
  EXPECT_THAT(MismatchMessage({wrong, Mask()}),
              HasSubstr("no input 'imago'; did you mean 'image'"));
}

TEST(MatchInputs, RejectsANameGivenTwice) {
  EXPECT_THAT(MismatchMessage({Mask(), Mask()}), HasSubstr("given twice"));
}

TEST(MatchInputs, NamesTheInputThatIsMissing) {
  EXPECT_EQ(MismatchMessage({Mask()}), "the input 'image' is missing");
}

TEST(MatchInputs, RejectsAnotherSizeThanTheNetworkFixes) {
  EXPECT_EQ(MismatchMessage({Image({3, 5}, 60), Mask()}),
            "input 'image': is nx2, not 3x5");
}

TEST(MatchInputs, RejectsAnotherRank) {
  EXPECT_EQ(MismatchMessage({Image({2}, 8), Mask()}),
            "input 'image': is nx2, not 2");
}

TEST(MatchInputs, RejectsTooFewBytes) {
  EXPECT_EQ(MismatchMessage({Image({3, 2}, 23), Mask()}),
            "input 'image': 3x2 of float32 does not match 23 bytes");
}

TEST(MatchInputs, StringsAreUnsupported) {
  std::vector<GraphValue> expected{
      {.name = "text", .type = {.type = ElementType::kString}}};
  std::vector<TensorValue> given{
      {.name = "text", .type = ElementType::kString, .sizes = {1}}};
  auto order = MatchInputs(expected, given);
  ASSERT_FALSE(order.ok());
  EXPECT_EQ(order.error().code(), ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace mete
