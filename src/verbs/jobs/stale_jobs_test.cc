#include "jobs/stale_jobs.h"

#include <gtest/gtest.h>

#include "tests/fakes/fake_clock.h"
#include "tests/fakes/memory_job_store.h"

namespace mete {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

class StaleJobsTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(jobs.SubmitJob({.id = "j1", .device_id = "d1"}).ok());
    auto claimed =
        jobs.ClaimJob({.device_id = "d1", .worker = "w1", .now = clock.Wall()});
    ASSERT_TRUE(claimed.ok() && *claimed);
  }

  FakeClock clock;
  MemoryJobStore jobs;
  StaleWatch watch{jobs, "d1", clock};
};

TEST_F(StaleJobsTest, HaveNoHeartbeatForMoreThanFiveSeconds) {
  clock.Advance(seconds(5));
  EXPECT_EQ(*InterruptStaleJobs(jobs, "d1", clock), 0u);
  clock.Advance(milliseconds(1));
  EXPECT_EQ(*InterruptStaleJobs(jobs, "d2", clock), 0u);
  EXPECT_EQ(*InterruptStaleJobs(jobs, "d1", clock), 1u);
}

TEST_F(StaleJobsTest, AreFoundAtTheFirstCheck) {
  clock.Advance(hours(1));
  EXPECT_EQ(*watch.Look(), 1u);
}

TEST_F(StaleJobsTest, AreFoundByRepeatedChecks) {
  size_t found = 0;
  for (int second = 0; second <= 5; ++second) {
    found += *watch.Look();
    clock.Advance(seconds(1));
  }
  EXPECT_EQ(found, 0u);
  EXPECT_EQ(*watch.Look(), 1u);
}

TEST_F(StaleJobsTest, AreNotMarkedRightAfterTheMachineWasSuspended) {
  EXPECT_EQ(*watch.Look(), 0u);
  clock.Advance(hours(8));
  EXPECT_EQ(*watch.Look(), 0u);
  clock.Advance(seconds(4));
  EXPECT_EQ(*watch.Look(), 0u);
  ASSERT_TRUE(jobs.UpdateJob("j1", "w1", {.heartbeat = clock.Wall()}).ok());
  clock.Advance(seconds(1));
  EXPECT_EQ(*watch.Look(), 0u);
}

TEST_F(StaleJobsTest, AreMarkedAfterASuspendIfTheyStaySilent) {
  EXPECT_EQ(*watch.Look(), 0u);
  clock.Advance(hours(8));
  EXPECT_EQ(*watch.Look(), 0u);
  clock.Advance(seconds(5));
  EXPECT_EQ(*watch.Look(), 1u);
}

TEST_F(StaleJobsTest, AGapOfExactlyFiveSecondsIsNotASuspend) {
  EXPECT_EQ(*watch.Look(), 0u);
  clock.Advance(milliseconds(1));
  EXPECT_EQ(*watch.Look(), 0u);
  clock.Advance(seconds(5));
  EXPECT_EQ(*watch.Look(), 1u);
}

}  // namespace
}  // namespace mete
