// A worker for the queue of this device.
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "domain/job.h"
#include "jobs/worker.h"

namespace mete {

struct WorkOffRequest {
  size_t parallel = 1;  // jobs at once
  // Ends when no job waits; otherwise when `stop` is requested.
  bool until_empty = false;
  std::string mete_version;
};

// Borrowed for the length of a call.
struct WorkOffDependencies {
  WorkerPorts ports;
  std::filesystem::path runs_folder;  // gets a folder by job id
};

// Registers this machine as a device, then works as RunWorker does. The jobs it
// ran.
Result<std::vector<Job>> WorkOff(const WorkOffRequest& request,
                                 const WorkOffDependencies& dependencies,
                                 const WorkerCallbacks& callbacks,
                                 std::stop_token stop);

}  // namespace mete
