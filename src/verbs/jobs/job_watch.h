// Looks after a running job beside the thread that runs it: says that its
// worker lives, and sees when it is to be cancelled.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <stop_token>
#include <string>
#include <thread>

#include "ports/job_store.h"
#include "support/clock.h"

namespace mete {

// Starts looking when made and has stopped when destroyed. A store that cannot
// be reached for a moment is asked again.
class JobWatch {
 public:
  struct Subject {
    std::string job_id;
    std::string worker;
  };
  JobWatch(JobStore& store, Clock& clock, Subject subject,
           std::stop_token worker_stop);
  JobWatch(const JobWatch&) = delete;
  JobWatch& operator=(const JobWatch&) = delete;

  // Requested when the job is to be cancelled, belongs to somebody else, or
  // its worker is to stop.
  std::stop_token token() const { return stop_.get_token(); }
  bool cancelled() const { return cancelled_; }

 private:
  void Look();

  JobStore& store_;
  Clock& clock_;
  Subject subject_;
  std::stop_source stop_;
  std::stop_callback<std::function<void()>> on_worker_stop_;
  std::atomic<bool> cancelled_ = false;
  std::chrono::nanoseconds last_beat_;
  std::jthread thread_;  // last: it uses all the others
};

}  // namespace mete
