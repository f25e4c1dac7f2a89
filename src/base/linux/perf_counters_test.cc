#include "linux/perf_counters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/perf_event.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

namespace mete {
namespace {

using testing::StartsWith;

TEST(ScaledCount, IsTheCountItselfWithoutMultiplexing) {
  EXPECT_EQ(ScaledCount({.count = 7, .enabled = 100, .running = 100}), 7u);
  EXPECT_EQ(ScaledCount({.count = 0, .enabled = 0, .running = 0}), 0u);
}

TEST(ScaledCount, MakesUpForMultiplexing) {
  EXPECT_EQ(ScaledCount({.count = 7'000, .enabled = 100, .running = 25}),
            28'000u);
}

TEST(ScaledCount, IsAbsentAndNotZeroWhenItNeverRan) {
  EXPECT_EQ(ScaledCount({.count = 0, .enabled = 100, .running = 0}),
            std::nullopt);
}

// A process that waits and then starts programs, as the keeper does.
class StartedLater {
 public:
  explicit StartedLater(const char* script) {
    std::array<int, 2> ends;
    EXPECT_EQ(pipe(ends.data()), 0);
    go_ = Descriptor(ends[1]);
    pid_ = fork();
    if (pid_ != 0) {
      close(ends[0]);
      return;
    }
    char byte = 0;
    if (read(ends[0], &byte, 1) != 1) _exit(1);
    pid_t child = fork();
    if (child == 0) {
      execl("/bin/sh", "sh", "-c", script, nullptr);
      _exit(127);
    }
    waitpid(child, nullptr, 0);
    _exit(0);
  }

  pid_t pid() const { return pid_; }
  void RunToTheEnd() {
    EXPECT_EQ(write(go_.number(), "g", 1), 1);
    waitpid(pid_, nullptr, 0);
  }

 private:
  Descriptor go_;
  pid_t pid_ = 0;
};

// Page faults stand in for hardware events, which virtual machines may lack.
constexpr PerfEvent kPageFaults{PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS};

TEST(PerfCounter, CountsEveryDescendantAndIsReadAfterTheEnd) {
  StartedLater one("/bin/true");
  StartedLater many("for i in 1 2 3 4 5 6 7 8 9 10; do /bin/true; done");
  auto faults_of_one = PerfCounter::Open(kPageFaults, one.pid());
  auto faults_of_many = PerfCounter::Open(kPageFaults, many.pid());
  if (!faults_of_one.ok() || !faults_of_many.ok()) {
    one.RunToTheEnd();
    many.RunToTheEnd();
    ASSERT_FALSE(faults_of_one.ok());
    const Error& refused = faults_of_one.error();
    ASSERT_TRUE(refused.code() == ErrorCode::kPermissionDenied ||
                refused.code() == ErrorCode::kUnsupported)
        << refused.message();
    GTEST_SKIP() << refused.message();
  }
  EXPECT_EQ(faults_of_one->Read(), 0u);
  one.RunToTheEnd();
  many.RunToTheEnd();
  // A program takes dozens of faults to start, the shell only a few more.
  EXPECT_GT(*faults_of_one->Read(), 20u);
  EXPECT_GT(*faults_of_many->Read(), 3 * *faults_of_one->Read());
}

TEST(PerfCounters, SayWhyWhenTheKernelRefusesThemAll) {
  auto counters = PerfCounters::Open(SystemRoot(), getpid());
  if (counters.ok()) GTEST_SKIP() << "the kernel does not refuse them here";
  EXPECT_THAT(counters.error().message(), StartsWith("performance counters: "));
}

TEST(PerfCounters, DistinguishMissingEventsFromMissingRights) {
  auto counters = PerfCounters::Open(SystemRoot(), getpid());
  if (counters.ok()) GTEST_SKIP() << "the kernel does not refuse them here";
  auto last = PerfCounter::Open(
      {PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES}, getpid());
  ASSERT_FALSE(last.ok());
  const bool none = last.error().code() == ErrorCode::kNotFound ||
                    last.error().code() == ErrorCode::kUnsupported;
  EXPECT_EQ(counters.error().code(),
            none ? ErrorCode::kUnsupported : last.error().code());
  EXPECT_EQ(counters.error().message().ends_with("virtual machine has none"),
            none);
}

TEST(PerfCounter, OfAnEventThatDoesNotExistFails) {
  auto counter = PerfCounter::Open({PERF_TYPE_SOFTWARE, 9999}, getpid());
  EXPECT_FALSE(counter.ok());
}

}  // namespace
}  // namespace mete
