// Finds running jobs whose worker has died.
#pragma once

#include <optional>
#include <string>

#include "ports/job_store.h"
#include "support/clock.h"
#include "support/result.h"

namespace mete {

// Marks the device's running jobs as interrupted if their worker has sent no
// heartbeat for too long. Call it once before reading jobs. Returns how many
// jobs were marked.
Result<size_t> InterruptStaleJobs(JobStore& store, const std::string& device_id,
                                  const Clock& clock);

// Does the same periodically. After the machine was suspended, every heartbeat
// looks old; the first worker to wake up must not declare the others dead.
class StaleWatch {
 public:
  StaleWatch(JobStore& store, std::string device_id, const Clock& clock)
      : store_(store), device_id_(std::move(device_id)), clock_(clock) {}

  // Call it about once a second.
  Result<size_t> Look();

 private:
  JobStore& store_;
  std::string device_id_;
  const Clock& clock_;
  std::optional<Job::Time> last_look_;
  std::optional<Job::Time> quiet_until_;
};

}  // namespace mete
