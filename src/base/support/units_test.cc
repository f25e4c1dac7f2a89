#include "support/units.h"

#include <gtest/gtest.h>

#include <cmath>

namespace mete {
namespace {

TEST(Units, ReadsMemoryInBinaryAndDecimalUnits) {
  EXPECT_EQ(*ParseBytes("512Mi"), Mebibytes(512));
  EXPECT_EQ(ParseBytes("1.5G")->count, 1'500'000'000u);
  EXPECT_EQ(ParseBytes("4096")->count, 4096u);
}

TEST(Units, SuggestsTheNearestMemoryUnit) {
  EXPECT_EQ(ParseBytes("512MB").error().message(),
            "'512MB' has an unknown unit 'MB'; did you mean 512Mi?");
  EXPECT_EQ(ParseBytes("1.5gb").error().message(),
            "'1.5gb' has an unknown unit 'gb'; did you mean 1.5Gi?");
}

TEST(Units, ListsTheMemoryUnitsIfNoneIsNear) {
  EXPECT_EQ(ParseBytes("12QB").error().message(),
            "'12QB' has an unknown unit 'QB'; use Ki, Mi, Gi, k, M or G");
}

TEST(Units, RejectsAmountsNoMachineHas) {
  EXPECT_FALSE(ParseBytes("99999999Ti").ok());
  EXPECT_FALSE(ParseBytes("-1Mi").ok());
  EXPECT_FALSE(ParseBytes("nan").ok());
}

TEST(Units, ReadsCpusAsFractionsOrThousandths) {
  EXPECT_EQ(ParseMillicores("1.5")->count, 1500);
  EXPECT_EQ(ParseMillicores("250m")->count, 250);
  EXPECT_FALSE(ParseMillicores("two").ok());
}

TEST(Units, ReadsDurationsWithOneOrMoreUnits) {
  EXPECT_DOUBLE_EQ(ParseDuration("250ms")->count(), 0.25);
  EXPECT_DOUBLE_EQ(ParseDuration("1h30m")->count(), 5400);
}

TEST(Units, RejectsADurationWithoutUnitWithAHint) {
  EXPECT_EQ(ParseDuration("30").error().message(),
            "'30' has no unit; did you mean 30s?");
}

TEST(Units, UnderstandsUnitsWrittenOutForTheHint) {
  EXPECT_EQ(ParseDuration("10sec").error().message(),
            "'10sec' has an unknown unit 'sec'; did you mean 10s?");
  EXPECT_EQ(ParseDuration("2minutes").error().message(),
            "'2minutes' has an unknown unit 'minutes'; did you mean 2m?");
}

TEST(Units, CountsAreWholeAndNotNegative) {
  EXPECT_EQ(*ParseCount("18446744073709551615"), UINT64_MAX);
  for (const char* text : {"-1", "1e3", "abc", "", "18446744073709551616"}) {
    EXPECT_FALSE(ParseCount(text).ok()) << text;
  }
  EXPECT_EQ(ParseCount("1e3").error().message(), "'1e3' is not a whole number");
  EXPECT_EQ(ParseCount("18446744073709551616").error().message(),
            "'18446744073709551616' is not a whole number from 0 to "
            "18446744073709551615");
}

TEST(Units, ReadsRatiosAsPercentOrFraction) {
  EXPECT_DOUBLE_EQ(*ParseRatio("2%"), 0.02);
  EXPECT_DOUBLE_EQ(*ParseRatio("0.02"), 0.02);
  EXPECT_FALSE(ParseRatio("2percent").ok());
}

TEST(Units, WritesQuantitiesWithThreeDigits) {
  EXPECT_EQ(FormatSeconds(0.008714), "8.71 ms");
  EXPECT_EQ(FormatSeconds(0.99951), "1.00 s");
  EXPECT_EQ(FormatSeconds(-0.0123), "-12.3 ms");
  EXPECT_EQ(FormatBytes(Mebibytes(143)), "143 MiB");
  EXPECT_EQ(FormatBytes({1536}), "1.5 KiB");
  EXPECT_EQ(FormatBytes({(1 << 20) - 1}), "1.0 MiB");
  EXPECT_EQ(FormatCount(11689512), "11,689,512");
  EXPECT_EQ(FormatScaled(1.8186e9), "1.82 G");
  EXPECT_EQ(FormatScaled(0), "0");
}

TEST(Units, WritesByteCountsThatNoNumberOfBytesCanHave) {
  EXPECT_EQ(FormatByteCount(1536), "1.5 KiB");
  EXPECT_EQ(FormatByteCount(-1), "0 B");
  EXPECT_EQ(FormatByteCount(std::nan("")), "0 B");
  EXPECT_EQ(FormatByteCount(1e308), FormatByteCount(2e19));
  EXPECT_EQ(FormatByteCount(1e308), "16777216 TiB");
}

TEST(Counted, HasASingularOnlyForOne) {
  EXPECT_EQ(Counted(0, "run"), "0 runs");
  EXPECT_EQ(Counted(1, "run"), "1 run");
  EXPECT_EQ(Counted(1200, "run"), "1,200 runs");
  EXPECT_EQ(Counted(1, "process", "processes"), "1 process");
  EXPECT_EQ(Counted(2, "process", "processes"), "2 processes");
}

TEST(FormatCpus, HasASingularOnlyForOne) {
  EXPECT_EQ(FormatCpus(1), "1 CPU");
  EXPECT_EQ(FormatCpus(0.5), "0.5 CPUs");
  EXPECT_EQ(FormatCpus(2), "2 CPUs");
}

}  // namespace
}  // namespace mete
