#include "support/parse_number.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace mete {
namespace {

TEST(ParseNumber, TakesOnlyTheWholeText) {
  EXPECT_EQ(ParseNumber<int>("42"), 42);
  EXPECT_EQ(ParseNumber<double>("-0.25"), -0.25);
  EXPECT_EQ(ParseNumber<float>("5E-1"), 0.5f);
  for (const char* text : {"", " 42", "42 ", "42%", "+42", "x"}) {
    EXPECT_EQ(ParseNumber<int>(text), std::nullopt) << text;
  }
}

TEST(ParseNumber, RefusesWhatDoesNotFit) {
  EXPECT_EQ(ParseNumber<uint16_t>("65536"), std::nullopt);
  EXPECT_EQ(ParseNumber<uint16_t>("-1"), std::nullopt);
}

}  // namespace
}  // namespace mete
