#include "analyze/read_series.h"

#include <gtest/gtest.h>

#include <cmath>

namespace mete {
namespace {

TEST(ReadSeries, UnderstandsSecondsMillisecondsAndIso) {
  EXPECT_DOUBLE_EQ(*ParseTime("1628640000"), 1628640000);
  EXPECT_DOUBLE_EQ(*ParseTime("1628640000.5"), 1628640000.5);
  EXPECT_DOUBLE_EQ(*ParseTime("1628640000250"), 1628640000.25);
  EXPECT_DOUBLE_EQ(*ParseTime("2021-08-11T00:00:00Z"), 1628640000);
  EXPECT_DOUBLE_EQ(*ParseTime("2021-08-11 00:00:00"), 1628640000);
  EXPECT_DOUBLE_EQ(*ParseTime("2021-08-11T02:00:00.25+02:00"), 1628640000.25);
}

TEST(ReadSeries, RefusesWhatIsNoTime) {
  for (const char* text : {"", "noon", "2021-13-01T00:00:00Z", "nan",
                           "2021-08-11T00:00:00X", "2021-08-11"}) {
    EXPECT_FALSE(ParseTime(text).ok()) << text;
  }
}

TEST(ReadSeries, AHeadingIsOptional) {
  EXPECT_EQ(ReadSeries({.text = "ts,value\n1,2\n3,4\n"})->values.size(), 2u);
  EXPECT_EQ(ReadSeries({.text = "1,2\n3,4\n"})->values.size(), 2u);
  EXPECT_EQ(ReadSeries({.text = ""})->values.size(), 0u);
}

TEST(ReadSeries, AnEmptyCellIsAGap) {
  const TimeSeries series = *ReadSeries({.text = "1,2\n2,\n3,NaN\n4,null\n"});
  ASSERT_EQ(series.values.size(), 4u);
  for (size_t i = 1; i < 4; ++i) EXPECT_TRUE(std::isnan(series.values[i]));
}

TEST(ReadSeries, ChoosesAColumn) {
  const std::string text = "time,cpu,memory\n1,2,3\n";
  EXPECT_EQ(ReadSeries({.text = text, .column = "memory"})->values[0], 3);
  EXPECT_FALSE(ReadSeries({.text = text, .column = "disk"}).ok());
}

TEST(ReadSeries, NamesTheLineOfAnError) {
  const auto series = ReadSeries({.text = "time,value\n1,2\n2,x\n"});
  ASSERT_FALSE(series.ok());
  EXPECT_EQ(series.error().message(), "line 3: 'x' is not a number");
}

}  // namespace
}  // namespace mete
