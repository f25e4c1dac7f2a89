// Finds running jobs whose worker is gone.
#pragma once

#include <optional>
#include <string>

#include "ports/job_store.h"
#include "support/clock.h"
#include "support/result.h"

namespace mete {

// Jobs of the device whose worker was silent for too long become interrupted.
// Whoever looks at jobs once calls it first. Answers how many did.
Result<size_t> InterruptStaleJobs(JobStore& store, const std::string& device_id,
                                  const Clock& clock);

// The same, again and again. After a sleep of the machine every heartbeat looks
// old, and who wakes first must not take the others for dead.
class StaleWatch {
 public:
  StaleWatch(JobStore& store, std::string device_id, const Clock& clock)
      : store_(store), device_id_(std::move(device_id)), clock_(clock) {}

  // To be called every second or so.
  Result<size_t> Look();

 private:
  JobStore& store_;
  std::string device_id_;
  const Clock& clock_;
  std::optional<Job::Time> last_look_;
  std::optional<Job::Time> quiet_until_;
};

}  // namespace mete
