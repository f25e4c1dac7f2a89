#include "domain/tensor.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

TEST(Tensor, CountsElementsAndBytes) {
  Shape shape = KnownShape({1, 3, 224, 224});
  EXPECT_EQ(ElementCount(shape), 150528u);
  EXPECT_EQ(ByteCount(ElementType::kFloat, shape), 602112u);
}

TEST(Tensor, PacksTypesSmallerThanAByte) {
  EXPECT_EQ(ByteCount(ElementType::kInt4, KnownShape({3})), 2u);
}

TEST(Tensor, AScalarHasOneElement) {
  EXPECT_EQ(ElementCount(Shape{}), 1u);
  EXPECT_EQ(FormatShape({}), "scalar");
}

TEST(Tensor, OpenNegativeAndOverflowingShapesHaveNoCount) {
  EXPECT_EQ(ElementCount(Shape{{.symbol = "batch"}}), std::nullopt);
  EXPECT_EQ(ElementCount({int64_t{-1}, int64_t{3}}), std::nullopt);
  EXPECT_EQ(ElementCount({int64_t{1} << 40, int64_t{1} << 40}), std::nullopt);
}

TEST(Tensor, FormatsShapesAsPeopleWriteThem) {
  EXPECT_EQ(FormatShape({{.symbol = "batch"}, {.size = 3}, {}}), "batchx3x?");
}

TEST(Tensor, ReadsAShapeForANamedInput) {
  auto given = ParseShapeOverride("input.1=1x3x224x224");
  EXPECT_EQ(ToString(*given), "input.1=1x3x224x224");
  ASSERT_TRUE(given.ok());
  EXPECT_EQ(given->input, "input.1");
  EXPECT_EQ(given->sizes, (std::vector<int64_t>{1, 3, 224, 224}));
}

TEST(Tensor, RejectsInvalidShapes) {
  for (const char* text :
       {"", "1x", "x3", "1x-3", "1x0", "1,3", "axb", "9999999999x9999999999"}) {
    EXPECT_FALSE(ParseSizes(text).ok()) << text;
  }
  EXPECT_FALSE(ParseShapeOverride("1x3").ok());
}

}  // namespace
}  // namespace mete
