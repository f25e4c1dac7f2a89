#include "jobs/job_watch.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "jobs/job_pace.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/memory_job_store.h"

namespace mete {
namespace {

TEST(JobWatch, SendsAHeartbeatWhenOneIsDue) {
  FakeClock clock;
  MemoryJobStore jobs;
  ASSERT_TRUE(jobs.SubmitJob({.id = "j", .device_id = "d"}).ok());
  const Job::Time claimed = clock.Wall();
  auto job = jobs.ClaimJob({.device_id = "d", .worker = "w", .now = claimed});
  ASSERT_TRUE(job.ok() && *job);
  // The watch ends when it is told that another worker has the job.
  constexpr int kLooks = kHeartbeat / kCancelLook;
  std::atomic<int> looks = 0;
  jobs.fail = [&](std::string_view) {
    if (++looks <= kLooks + kLooks / 2) return Status();
    return Status(NotFound("another worker has it"));
  };
  {
    JobWatch watch(jobs, clock, {.job_id = "j", .worker = "w"}, {});
    while (!watch.token().stop_requested()) std::this_thread::yield();
    EXPECT_FALSE(watch.cancelled());
  }
  EXPECT_EQ(*jobs.FindJob("j")->heartbeat - claimed, kHeartbeat);
}

}  // namespace
}  // namespace mete
