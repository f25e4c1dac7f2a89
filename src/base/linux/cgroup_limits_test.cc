#include "linux/cgroup_limits.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

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

TEST(CgroupLimitsTest, DividesByThePeriodThatIsSet) {
  EXPECT_EQ(ParseCores("100000 200000\n"), 0.5);
  EXPECT_EQ(ParseCores("50000 200000 more"), 0.25);
}

TEST(CgroupLimitsTest, ALimitIsBelowTwoToThe62) {
  EXPECT_EQ(ParseMemoryLimit("4611686018427387903\n"),
            Bytes{4611686018427387903u});
  EXPECT_EQ(ParseMemoryLimit("4611686018427387904\n"), std::nullopt);
}

// The files of one cgroup in memory.
class FilesOfOneGroup : public CgroupFiles {
 public:
  explicit FilesOfOneGroup(int version) : version_(version) {}
  std::map<std::string, std::string, std::less<>> files;

  int VersionFor(CgroupPart) const override { return version_; }
  std::optional<std::string_view> Text(CgroupPart,
                                       std::string_view name) override {
    auto found = files.find(name);
    if (found == files.end()) return std::nullopt;
    return found->second;
  }

 private:
  int version_;
};

TEST(CgroupLimitsTest, OfVersionOneAreInThreeFiles) {
  FilesOfOneGroup group(1);
  group.files = {{"memory.limit_in_bytes", "1048576\n"},
                 {"cpu.cfs_quota_us", "50000\n"},
                 {"cpu.cfs_period_us", "200000\n"},
                 {"memory.max", "1\n"},
                 {"cpu.max", "1 1\n"}};
  CgroupLimits limits = ReadLimits(group);
  EXPECT_EQ(limits.memory, Mebibytes(1));
  EXPECT_EQ(limits.cores, 0.25);
}

TEST(CgroupLimitsTest, OfVersionTwoAreInTwoFiles) {
  FilesOfOneGroup group(2);
  group.files = {{"memory.max", "2097152\n"},
                 {"cpu.max", "300000 200000\n"},
                 {"memory.limit_in_bytes", "1\n"},
                 {"cpu.cfs_quota_us", "1\n"},
                 {"cpu.cfs_period_us", "1\n"}};
  CgroupLimits limits = ReadLimits(group);
  EXPECT_EQ(limits.memory, Mebibytes(2));
  EXPECT_EQ(limits.cores, 1.5);
}

TEST(CgroupLimitsTest, AreAbsentWithoutTheParts) {
  FilesOfOneGroup group(0);
  group.files = {{"memory.max", "2097152\n"}, {"cpu.max", "300000 200000\n"}};
  EXPECT_EQ(ReadLimits(group).memory, std::nullopt);
  EXPECT_EQ(ReadLimits(group).cores, std::nullopt);
}

}  // namespace
}  // namespace mete
