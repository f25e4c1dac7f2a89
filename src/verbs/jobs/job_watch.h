// Accompanies a running job from a thread of its own: sends heartbeats and
// checks whether the job is to be cancelled.
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

// Watches from construction to destruction. Tries again when the store is
// temporarily unavailable.
class JobWatch {
 public:
  // The job to watch and the worker that runs it.
  struct Subject {
    std::string job_id;
    std::string worker;
  };
  JobWatch(JobStore& store, Clock& clock, Subject subject,
           std::stop_token worker_stop);
  JobWatch(const JobWatch&) = delete;
  JobWatch& operator=(const JobWatch&) = delete;

  // Stop is requested when the job is to be cancelled, was taken over by
  // another worker, or its own worker is to stop.
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
