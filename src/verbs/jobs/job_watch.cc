#include "jobs/job_watch.h"

#include "jobs/job_pace.h"

namespace mete {

JobWatch::JobWatch(JobStore& store, Clock& clock, Subject subject,
                   std::stop_token worker_stop)
    : store_(store),
      clock_(clock),
      subject_(std::move(subject)),
      on_worker_stop_(std::move(worker_stop), [this] { stop_.request_stop(); }),
      last_beat_(clock.Now()) {
  thread_ = std::jthread([this](const std::stop_token& end) {
    while (clock_.SleepFor(kCancelLook, end)) Look();
  });
}

void JobWatch::Look() {
  JobUpdate update;
  std::chrono::nanoseconds now = clock_.Now();
  if (now - last_beat_ >= kHeartbeat) update.heartbeat = clock_.Wall();
  auto cancel = store_.UpdateJob(subject_.job_id, subject_.worker, update);
  if (cancel.ok()) {
    if (update.heartbeat) last_beat_ = now;
    if (!*cancel) return;
    cancelled_ = true;
  } else if (cancel.error().code() != ErrorCode::kNotFound) {
    return;  // tries again; not found: another worker has it
  }
  stop_.request_stop();
}

}  // namespace mete
