#include "adapters/process/process_testbed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "linux/cgroup_facts.h"

namespace mete {
namespace {

using ::testing::HasSubstr;

constexpr Seconds kSoon{20};

// A program that answers every line with the same line in braces.
class TestbedTest : public testing::Test {
 protected:
  Result<std::unique_ptr<TestbedProcess>> Shell(Testbed& testbed,
                                                const std::string& script) {
    return testbed.Start(TestbedRole::kWorkload, {"-c", script});
  }

  ProcessTestbedFactory maker{"/bin/sh", {{"GREETING", "hello"}}};
};

TEST_F(TestbedTest, ExchangesLines) {
  auto testbed = maker.Open({});
  ASSERT_TRUE(testbed.ok()) << testbed.error().message();
  auto process = Shell(
      **testbed,
      "echo some talk >&2; while read line; do echo \"{$line $GREETING}\"; "
      "done");
  ASSERT_TRUE(process.ok()) << process.error().message();
  for (const char* word : {"one", "two"}) {
    ASSERT_TRUE((*process)->Send(word).ok());
    auto line = (*process)->Receive(kSoon, {});
    ASSERT_TRUE(line.ok()) << line.error().message();
    EXPECT_EQ(*line, std::string("{") + word + " hello}");
  }
  EXPECT_EQ((*process)->last_output(), "some talk");
}

TEST_F(TestbedTest, ReportsHowAProcessEnded) {
  auto testbed = maker.Open({});
  ASSERT_TRUE(testbed.ok());
  auto process = Shell(**testbed, "exit 3");
  ASSERT_TRUE(process.ok());
  EXPECT_EQ((*process)->Receive(kSoon, {}).error().code(),
            ErrorCode::kUnavailable);
  EXPECT_EQ((*process)->Ending().exit_code, 3);
}

TEST_F(TestbedTest, AMissingAnswerIsATimeout) {
  auto testbed = maker.Open({});
  ASSERT_TRUE(testbed.ok());
  auto process = Shell(**testbed, "read line");
  ASSERT_TRUE(process.ok());
  EXPECT_EQ((*process)->Receive(Seconds(0.05), {}).error().code(),
            ErrorCode::kTimeout);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ((*process)->Receive(kSoon, stop.get_token()).error().code(),
            ErrorCode::kInterrupted);
}

TEST_F(TestbedTest, CountsTheTimeOfTheWorkload) {
  auto testbed = maker.Open({});
  ASSERT_TRUE(testbed.ok());
  auto process =
      Shell(**testbed,
            "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; echo {}; "
            "read line");
  ASSERT_TRUE(process.ok());
  ASSERT_TRUE((*process)->Receive(kSoon, {}).ok());
  EXPECT_GT((*testbed)->Usage().workload.count(), 0.01);
}

TEST_F(TestbedTest, TheFolderIsRemovedWithTheMaker) {
  std::filesystem::path folder;
  {
    ProcessTestbedFactory other("/bin/sh", {});
    folder = other.Folder().value();
    EXPECT_TRUE(std::filesystem::exists(folder));
    EXPECT_EQ(other.Folder().value(), folder);
  }
  EXPECT_FALSE(std::filesystem::exists(folder));
}

// A name that is known in advance could be created in advance, with links in
// it that point to files of the user who runs mete.
TEST_F(TestbedTest, NobodyCanPredictTheFolder) {
  ProcessTestbedFactory other("/bin/sh", {});
  std::filesystem::path one = maker.Folder().value();
  std::filesystem::path two = other.Folder().value();
  EXPECT_NE(one, two);
  EXPECT_EQ(std::filesystem::status(one).permissions(),
            std::filesystem::perms::owner_all);
}

TEST_F(TestbedTest, RejectsEmulationWithoutCgroups) {
  if (geteuid() == 0) GTEST_SKIP() << "root can create cgroups";
  auto testbed = maker.Open(
      {.limits = Limits{.memory = Mebibytes(512), .cpus = Millicores{500}},
       .period = std::chrono::microseconds(10'000)});
  ASSERT_FALSE(testbed.ok());
  EXPECT_EQ(testbed.error().code(), ErrorCode::kPermissionDenied);
  EXPECT_THAT(testbed.error().message(), HasSubstr("run as root"));
}

}  // namespace
}  // namespace mete
