#include "support/run_forked.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

namespace mete {
namespace {

// Longer than any of these tests may take; a child that is ended does not wait.
void WaitForever() {
  while (true) pause();
}

TEST(RunForked, ReturnsWhatTheChildComputed) {
  std::string large(1'000'000, 'x');
  EXPECT_EQ(RunForked([&] { return large; }, {}).value(), large);
  EXPECT_EQ(RunForked([] { return std::string(); }, {}).value(), "");
}

TEST(RunForked, ComputesInAnotherProcess) {
  int changed = 0;
  auto child = RunForked(
      [&] {
        changed = 1;
        return std::to_string(getpid());
      },
      {});
  EXPECT_NE(child.value(), std::to_string(getpid()));
  EXPECT_EQ(changed, 0);
}

TEST(RunForked, SurvivesAChildThatAborts) {
  auto aborted = RunForked([]() -> std::string { std::abort(); }, {});
  ASSERT_FALSE(aborted.ok());
  EXPECT_EQ(aborted.error().code(), ErrorCode::kUnavailable);
}

TEST(RunForked, EndsAChildThatIsOutOfTime) {
  auto late = RunForked(
      [] {
        WaitForever();
        return std::string();
      },
      {.time = Seconds(0.05)});
  ASSERT_FALSE(late.ok());
  EXPECT_EQ(late.error().code(), ErrorCode::kTimeout);
}

TEST(RunForked, EndsTheChildOnRequest) {
  std::stop_source stop;
  std::thread later([&] { stop.request_stop(); });
  auto stopped = RunForked(
      [] {
        WaitForever();
        return std::string();
      },
      {.time = Seconds(600), .stop = stop.get_token()});
  later.join();
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(stopped.error().code(), ErrorCode::kInterrupted);
}

TEST(RunForked, LeavesNoChildBehind) {
  ASSERT_TRUE(RunForked([] { return std::string("done"); }, {}).ok());
  ASSERT_FALSE(RunForked([]() -> std::string { std::abort(); }, {}).ok());
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
}

}  // namespace
}  // namespace mete
