#include "jobs/stale_jobs.h"

#include <utility>

#include "jobs/job_pace.h"

namespace mete {

Result<size_t> InterruptStaleJobs(JobStore& store, const std::string& device_id,
                                  const Clock& clock) {
  return store.InterruptStaleJobs(device_id, clock.Wall() - kPatience);
}

Result<size_t> StaleWatch::Look() {
  const Job::Time now = clock_.Wall();
  auto before = std::exchange(last_look_, now);
  if (before && now - *before > kPatience) quiet_until_ = now + kPatience;
  if (quiet_until_ && now < *quiet_until_) return size_t{0};
  quiet_until_.reset();
  return InterruptStaleJobs(store_, device_id_, clock_);
}

}  // namespace mete
