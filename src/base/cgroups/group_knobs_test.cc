#include "cgroups/group_knobs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/file.h"

namespace mete {
namespace {

using testing::HasSubstr;

// A plain folder in place of a cgroup.
class GroupKnobsTest : public testing::Test {
 protected:
  GroupKnobsTest() {
    std::filesystem::create_directory(scratch_.path() / "group");
  }
  void Set(const std::string& file, const std::string& text) {
    ASSERT_TRUE(WriteFileAtomically(At(file), text).ok());
  }
  std::string Text(const std::string& file) { return *ReadFile(At(file)); }
  std::filesystem::path At(const std::string& file) const {
    return scratch_.path() / "group" / file;
  }
  static CgroupFolder V1() { return {.version = 1, .folder = "/group"}; }
  static CgroupFolder V2() { return {.version = 2, .folder = "/group"}; }

  ScratchFolder scratch_ = *ScratchFolder::Create();
  SystemRoot root_{scratch_.path()};
};

TEST_F(GroupKnobsTest, ReadsQuotasOfBothVersions) {
  Set("cpu.cfs_quota_us", "-1\n");
  Set("cpu.cfs_period_us", "50000\n");
  EXPECT_EQ(*ReadCpuQuota(root_, V1()), std::nullopt);
  Set("cpu.cfs_quota_us", "12345\n");
  EXPECT_DOUBLE_EQ(**ReadCpuQuota(root_, V1()), 0.2469);
  Set("cpu.max", "max 100000\n");
  EXPECT_EQ(*ReadCpuQuota(root_, V2()), std::nullopt);
  Set("cpu.max", "150000 100000\n");
  EXPECT_EQ(**ReadCpuQuota(root_, V2()), 1.5);
}

TEST_F(GroupKnobsTest, WritesQuotasInThePeriodOfTheCgroup) {
  Set("cpu.cfs_quota_us", "-1");
  Set("cpu.cfs_period_us", "50000");
  ASSERT_TRUE(WriteCpuQuota(root_, V1(), 0.2469).ok());
  EXPECT_EQ(Text("cpu.cfs_quota_us"), "12345");
  Set("cpu.cfs_quota_us", "");
  Set("cpu.cfs_quota_us", "12345");
  Set("cpu.max", "max 50000");
  ASSERT_TRUE(WriteCpuQuota(root_, V2(), 0.5).ok());
  EXPECT_EQ(Text("cpu.max"), "25000 50000");
}

TEST_F(GroupKnobsTest, RemovesQuotas) {
  Set("cpu.cfs_quota_us", "20");
  Set("cpu.cfs_period_us", "100000");
  ASSERT_TRUE(WriteCpuQuota(root_, V1(), std::nullopt).ok());
  EXPECT_EQ(Text("cpu.cfs_quota_us"), "-1");
  Set("cpu.max", "20000 50000");
  ASSERT_TRUE(WriteCpuQuota(root_, V2(), std::nullopt).ok());
  EXPECT_THAT(Text("cpu.max"), HasSubstr("max 50000"));
}

TEST_F(GroupKnobsTest, RejectsAQuotaBelowTheKernelsMinimum) {
  Set("cpu.max", "max 100000");
  EXPECT_EQ(WriteCpuQuota(root_, V2(), 0.005).error().code(),
            ErrorCode::kInvalidInput);
}

TEST_F(GroupKnobsTest, ReadsAndWritesMemory) {
  Set("memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(*ReadMemoryMax(root_, V1()), std::nullopt);
  Set("memory.limit_in_bytes", "67108864\n");
  EXPECT_EQ(**ReadMemoryMax(root_, V1()), 67108864);
  Set("memory.max", "max\n");
  EXPECT_EQ(*ReadMemoryMax(root_, V2()), std::nullopt);
  Set("memory.max", "0");
  ASSERT_TRUE(WriteMemoryMax(root_, V2(), 1048576).ok());
  EXPECT_EQ(Text("memory.max"), "1048576");
}

TEST_F(GroupKnobsTest, RejectsALimitThatWouldKillTheMembers) {
  Set("memory.max", "max");
  Set("memory.current", "3000000\n");
  Set("memory.stat", "anon 1\ninactive_file 500000\n");
  Status status = WriteMemoryMax(root_, V2(), 2000000);
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(status.error().message(), HasSubstr("would kill members"));
  EXPECT_TRUE(WriteMemoryMax(root_, V2(), 2600000).ok());
}

TEST_F(GroupKnobsTest, FreezesUnderBothVersions) {
  Set("freezer.state", "FREEZING\n");
  EXPECT_TRUE(*ReadFrozen(root_, V1()));
  Set("freezer.state", "");
  ASSERT_TRUE(WriteFrozen(root_, V1(), false).ok());
  EXPECT_EQ(Text("freezer.state"), "THAWED");
  EXPECT_FALSE(*ReadFrozen(root_, V1()));
  Set("cgroup.freeze", "0\n");
  EXPECT_FALSE(*ReadFrozen(root_, V2()));
  ASSERT_TRUE(WriteFrozen(root_, V2(), true).ok());
  EXPECT_TRUE(*ReadFrozen(root_, V2()));
}

TEST_F(GroupKnobsTest, ACgroupThatIsGoneIsNotFound) {
  CgroupFolder gone{.version = 2, .folder = "/gone"};
  EXPECT_EQ(ReadCpuQuota(root_, gone).error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(WriteCpuQuota(root_, gone, 1).error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(ReadFrozen(root_, gone).error().code(), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace mete
