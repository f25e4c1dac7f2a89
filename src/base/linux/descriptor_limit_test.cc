#include "linux/descriptor_limit.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace mete {
namespace {

// Sets the limit for a test and restores it.
class DescriptorLimitTest : public testing::Test {
 protected:
  DescriptorLimitTest() { getrlimit(RLIMIT_NOFILE, &before_); }
  ~DescriptorLimitTest() override { setrlimit(RLIMIT_NOFILE, &before_); }
  void SetUp() override {
    if (before_.rlim_max < 4096) GTEST_SKIP() << "the limit is below 4096";
  }
  void Limit(rlim_t now) {
    rlimit limit{.rlim_cur = now, .rlim_max = before_.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
  }
  rlim_t Now() {
    rlimit limit{};
    getrlimit(RLIMIT_NOFILE, &limit);
    return limit.rlim_cur;
  }

 private:
  rlimit before_{};
};

TEST_F(DescriptorLimitTest, LeavesAQuarterToOthers) {
  Limit(256);
  EXPECT_EQ(AffordableDescriptors(), 192u);
  Limit(4096);
  EXPECT_EQ(AffordableDescriptors(), 1536u);
}

TEST_F(DescriptorLimitTest, IsRaisedButNeverLowered) {
  Limit(512);
  RaiseDescriptorLimit(2048);
  EXPECT_EQ(Now(), 2048u);
  RaiseDescriptorLimit(1024);
  EXPECT_EQ(Now(), 2048u);
}

}  // namespace
}  // namespace mete
