#include "linux/cgroup_limits.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

TEST(CgroupLimitsTest, DividesQuotaByPeriod) {
  EXPECT_EQ(ParseCores("150000 100000\n"), 1.5);
  EXPECT_EQ(ParseCores("25000"), 0.25);
}

TEST(CgroupLimitsTest, IsAbsentWhenNoLimitIsSet) {
  EXPECT_EQ(ParseCores("max 100000\n"), std::nullopt);
  EXPECT_EQ(ParseCores("-1 100000"), std::nullopt);
  EXPECT_EQ(ParseCores("0 100000"), std::nullopt);
  EXPECT_EQ(ParseCores("100000 0"), std::nullopt);
  EXPECT_EQ(ParseCores(""), std::nullopt);
  EXPECT_EQ(ParseMemoryLimit("max\n"), std::nullopt);
  EXPECT_EQ(ParseMemoryLimit("9223372036854771712\n"), std::nullopt);
  EXPECT_EQ(ParseMemoryLimit(""), std::nullopt);
}

TEST(CgroupLimitsTest, ReadsTheMemoryLimit) {
  EXPECT_EQ(ParseMemoryLimit("536870912\n"), Mebibytes(512));
  EXPECT_EQ(ParseMemoryLimit("0\n"), Bytes{0});
}

}  // namespace
}  // namespace mete
