#include "linux/cgroup_limits.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

TEST(CgroupLimitsTest, DividesQuotaByPeriod) {
  EXPECT_EQ(CoresOf("150000 100000\n"), 1.5);
  EXPECT_EQ(CoresOf("25000"), 0.25);
}

TEST(CgroupLimitsTest, IsAbsentWhenNoLimitIsSet) {
  EXPECT_EQ(CoresOf("max 100000\n"), std::nullopt);
  EXPECT_EQ(CoresOf("-1 100000"), std::nullopt);
  EXPECT_EQ(CoresOf("0 100000"), std::nullopt);
  EXPECT_EQ(CoresOf("100000 0"), std::nullopt);
  EXPECT_EQ(CoresOf(""), std::nullopt);
  EXPECT_EQ(MemoryLimitOf("max\n"), std::nullopt);
  EXPECT_EQ(MemoryLimitOf("9223372036854771712\n"), std::nullopt);
  EXPECT_EQ(MemoryLimitOf(""), std::nullopt);
}

TEST(CgroupLimitsTest, ReadsTheMemoryLimit) {
  EXPECT_EQ(MemoryLimitOf("536870912\n"), Mebibytes(512));
  EXPECT_EQ(MemoryLimitOf("0\n"), Bytes{0});
}

}  // namespace
}  // namespace mete
