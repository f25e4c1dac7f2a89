#include "adapters/kubernetes/quantity.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

TEST(Quantity, ReadsSuffixesAndExponents) {
  EXPECT_DOUBLE_EQ(ParseQuantity("250m").value_or(0), 0.25);
  EXPECT_DOUBLE_EQ(ParseQuantity("1.5").value_or(0), 1.5);
  EXPECT_DOUBLE_EQ(ParseQuantity("64Mi").value_or(0), 67108864);
  EXPECT_DOUBLE_EQ(ParseQuantity("1k").value_or(0), 1000);
  EXPECT_DOUBLE_EQ(ParseQuantity("1e3").value_or(0), 1000);
}

TEST(Quantity, RejectsWhatIsNone) {
  EXPECT_FALSE(ParseQuantity("").has_value());
  EXPECT_FALSE(ParseQuantity("Mi").has_value());
  EXPECT_FALSE(ParseQuantity("1 Mi").has_value());
  EXPECT_FALSE(ParseQuantity("1Xi").has_value());
  EXPECT_FALSE(ParseQuantity("inf").has_value());
}

}  // namespace
}  // namespace mete
