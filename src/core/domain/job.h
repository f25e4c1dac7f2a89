// A job: a measurement that runs later, kept in the store until it is done.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/json.h"
#include "support/result.h"

namespace mete {

// State of a job between its submission and its end.
enum class JobState {
  kQueued,
  kRunning,
  kCompleted,    // every run was made, whatever its outcome
  kFailed,       // it could not be run: the error says why
  kCancelled,    // by a user
  kInterrupted,  // its worker disappeared; the job can be resumed
};

// "queued", "running", …
std::string_view ToString(JobState state);
Result<JobState> ParseJobState(std::string_view name);
// True when the job stays in this state unless a user acts.
bool IsFinal(JobState state);

// A measurement in a device's queue: what to run, its state, and the runs made
// so far.
struct Job {
  using Time = std::chrono::system_clock::time_point;

  std::string id;  // sorts by time of submission
  std::string name;
  // The work: {"application": …}, as written by ApplicationSpec.
  Json work;
  std::string device_id;  // the device in whose queue it waits
  JobState state = JobState::kQueued;
  Time submitted;
  std::optional<Time> started;  // the last time
  std::optional<Time> ended;
  // Runs made so far, oldest first; a resumed job continues after them.
  std::vector<std::string> run_ids;
  std::string folder;             // of its files; empty until it has started
  std::string error;              // why it failed
  std::string worker;             // which worker runs it
  std::optional<Time> heartbeat;  // the last sign of life of that worker
  bool cancel_requested = false;
};

Json JobToJson(const Job& job);
// Fails with kCorrupt.
Result<Job> JobFromJson(const Json& json);

}  // namespace mete
