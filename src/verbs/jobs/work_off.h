// Runs a worker for the job queue of this device.
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "domain/job.h"
#include "jobs/worker.h"

namespace mete {

// Options of the worker.
struct WorkOffRequest {
  size_t parallel = 1;  // jobs run concurrently
  // Return when the queue is empty instead of waiting for `stop`.
  bool until_empty = false;
  std::string mete_version;
  std::optional<ProcessUser> user{};  // runs commands; absent: mete's own
};

// The dependencies of WorkOff, borrowed for the duration of a call.
struct WorkOffDependencies {
  WorkerPorts ports;
  std::filesystem::path runs_folder;  // holds one folder per job id
};

// Registers this machine as a device, then runs RunWorker. Returns the jobs it
// ran.
Result<std::vector<Job>> WorkOff(const WorkOffRequest& request,
                                 const WorkOffDependencies& dependencies,
                                 const WorkerCallbacks& callbacks,
                                 std::stop_token stop);

}  // namespace mete
