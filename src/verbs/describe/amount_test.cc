#include "describe/amount.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

TEST(Amount, AddsAndMultiplies) {
  EXPECT_EQ((Amount(uint64_t{6}) * Amount(uint64_t{7}) + uint64_t{1}).value(),
            43u);
}

TEST(Amount, StaysOpenOnceOpen) {
  EXPECT_EQ((Amount::Open() + uint64_t{1}).value(), std::nullopt);
  EXPECT_EQ((Amount::Open() * uint64_t{2}).value(), std::nullopt);
}

TEST(Amount, IsZeroWhenZeroIsMultipliedByAnOpenAmount) {
  EXPECT_EQ((Amount::Open() * uint64_t{0}).value(), 0u);
}

TEST(Amount, IsAbsurdFromTwoToThe63Upwards) {
  EXPECT_TRUE(Amount(uint64_t{1} << 63).absurd());
  EXPECT_TRUE((Amount(uint64_t{1} << 62) + (uint64_t{1} << 62)).absurd());
  EXPECT_TRUE((Amount(uint64_t{1} << 40) * (uint64_t{1} << 40)).absurd());
  EXPECT_TRUE((Amount::Open() + Amount::Absurd()).absurd());
}

}  // namespace
}  // namespace mete
