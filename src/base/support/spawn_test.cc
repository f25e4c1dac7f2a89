#include "support/spawn.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <fstream>

#include "support/descriptor.h"

namespace mete {
namespace {

using std::chrono::seconds;

class SpawnTest : public testing::Test {
 protected:
  Result<int> Run(const std::string& script, seconds patience = seconds(20)) {
    auto process = Spawn({.arguments = {"sh", "-c", script},
                          .output = output_.number(),
                          .environment = {{"METE_SPAWN_TEST", "with blanks"}}});
    if (!process.ok()) return process.error();
    return WaitForProcess(*process, clock_.Now() + patience, clock_,
                          stop_.get_token());
  }
  std::string Said() {
    std::array<char, 256> text{};
    ssize_t got = pread(output_.number(), text.data(), text.size(), 0);
    return {text.data(), static_cast<size_t>(std::max<ssize_t>(got, 0))};
  }

  SystemClock clock_;
  std::stop_source stop_;
  Descriptor output_{memfd_create("said", MFD_CLOEXEC)};
};

TEST_F(SpawnTest, PassesArgumentsStreamsAndVariables) {
  auto status = Run("echo \"$METE_SPAWN_TEST\"; read line || exit 7");
  ASSERT_TRUE(status.ok());
  EXPECT_EQ(WEXITSTATUS(*status), 7) << "its input is not empty";
  EXPECT_EQ(Said(), "with blanks\n");
}

// A listening socket that a detached program holds would keep its address in
// use after we have ended.
TEST_F(SpawnTest, PassesOnNoOtherDescriptor) {
  const Descriptor other(dup(output_.number()));  // without O_CLOEXEC
  const std::string file = "/proc/self/fd/" + std::to_string(other.number());
  ASSERT_TRUE(Run("[ -e " + file + " ] && echo open || echo closed").ok());
  EXPECT_EQ(Said(), "closed\n");
}

TEST_F(SpawnTest, AMissingProgramIsNotFound) {
  auto process = Spawn({.arguments = {"no-such-program-of-mete"}});
  ASSERT_FALSE(process.ok());
  EXPECT_EQ(process.error().code(), ErrorCode::kNotFound);
}

TEST_F(SpawnTest, KillsTheWholeGroupAtTheDeadline) {
  auto status = Run("sleep 300 & echo $!; wait", seconds(1));
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code(), ErrorCode::kTimeout);
  const int child = std::atoi(Said().c_str());
  ASSERT_GT(child, 0);
  // Gone, or a zombie that nothing waits for.
  auto lives = [child] {
    std::ifstream stat("/proc/" + std::to_string(child) + "/stat");
    std::string number, name, state;
    stat >> number >> name >> state;
    return !state.empty() && state != "Z";
  };
  for (int i = 0; i < 100 && lives(); ++i) usleep(20'000);
  EXPECT_FALSE(lives());
}

TEST_F(SpawnTest, EndsImmediatelyOnRequest) {
  stop_.request_stop();
  auto status = Run("sleep 300");
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code(), ErrorCode::kInterrupted);
}

}  // namespace
}  // namespace mete
