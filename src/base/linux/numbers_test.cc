#include "linux/numbers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mete {
namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(Numbers, AreSeparatedByAnyRunOfBlanks) {
  EXPECT_THAT(SplitFields("  7 \t 0  loop0\n"), ElementsAre("7", "0", "loop0"));
  EXPECT_THAT(SplitFields(" \n"), IsEmpty());
}

TEST(Numbers, AreAbsentWhenMoreTextFollows) {
  EXPECT_EQ(WholeNumber("42"), 42u);
  EXPECT_EQ(WholeNumber("42%"), std::nullopt);
  EXPECT_EQ(WholeNumber(""), std::nullopt);
  EXPECT_EQ(WholeNumber("max"), std::nullopt);
  EXPECT_EQ(WholeNumber("-1"), std::nullopt);
}

TEST(Numbers, AreAbsentWhenNotFinite) {
  EXPECT_EQ(Decimal("-0.25"), -0.25);
  EXPECT_EQ(Decimal("nan"), std::nullopt);
  EXPECT_EQ(Decimal("inf"), std::nullopt);
}

TEST(Numbers, AreReadAfterAPrefix) {
  EXPECT_EQ(NumberAfter("cpu12", "cpu"), 12u);
  EXPECT_EQ(NumberAfter("cpu", "cpu"), std::nullopt);
  EXPECT_EQ(NumberAfter("cpufreq", "cpu"), std::nullopt);
  EXPECT_EQ(NumberAfter("gpu1", "cpu"), std::nullopt);
}

TEST(Numbers, MatchOnlyWholeKeys) {
  const char* stat = "workingset 1\npgmajfault 2\npgfault 3\nVmRSS:\t  9 kB\n";
  EXPECT_EQ(FindCounter(stat, "pgfault"), 3u);
  EXPECT_EQ(FindCounter(stat, "fault"), std::nullopt);
  EXPECT_EQ(FindKilobytes(stat, "VmRSS"), Kibibytes(9));
}

TEST(Numbers, AreAbsentWhenATimeOverflows) {
  EXPECT_EQ(ToTime(7, microseconds(1)), nanoseconds(7000));
  EXPECT_EQ(ToTime(UINT64_MAX / 1000, microseconds(1)), std::nullopt);
  EXPECT_EQ(ToTime(std::nullopt, microseconds(1)), std::nullopt);
}

TEST(Numbers, AreReadFromALongTextInOnePass) {
  std::optional<uint64_t> faults, swap, none, bad;
  const RequestedCounter expected[] = {
      {"pgfault", &faults}, {"swap", &swap}, {"cache", &none}, {"x", &bad}};
  ReadCounters("total_pgfault 9\npgfault 12\nx y\nswap 4096", expected);
  EXPECT_EQ(faults, 12u);
  EXPECT_EQ(swap, 4096u);
  EXPECT_EQ(none, std::nullopt);
  EXPECT_EQ(bad, std::nullopt);
}

TEST(Numbers, MustFillTheFirstLine) {
  EXPECT_EQ(FirstNumber("42\n43\n"), 42u);
  EXPECT_EQ(FirstNumber("max\n"), std::nullopt);
  EXPECT_EQ(FirstNumber(""), std::nullopt);
}

TEST(Numbers, OfALongTextKeepTheirValueIfALaterLineHasNone) {
  std::optional<uint64_t> swap;
  const RequestedCounter expected[] = {{"swap", &swap}};
  ReadCounters("swap 5\nswap\n", expected);
  EXPECT_EQ(swap, 5u);
}

TEST(Numbers, OfATimeFitIntoNanoseconds) {
  EXPECT_EQ(ToTime(9223372036854775u, microseconds(1)),
            microseconds(9223372036854775));
  EXPECT_EQ(ToTime(9223372036854776u, microseconds(1)), std::nullopt);
}

}  // namespace
}  // namespace mete
