// A worker takes the jobs of its device from the queue and runs them.
#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "domain/device.h"
#include "domain/job.h"
#include "measure/application_dependencies.h"
#include "ports/job_store.h"
#include "ports/run_store.h"
#include "support/result.h"

namespace mete {

// Identity and options of a worker.
struct WorkerRequest {
  Device device;
  std::string mete_version;
  std::string name;                   // unique among all workers
  std::filesystem::path folder;       // for the files of its jobs
  size_t parallel = 1;                // jobs run concurrently
  bool until_empty = false;           // return when the queue is empty
  std::optional<ProcessUser> user{};  // runs commands; absent: mete's own
};

// The dependencies of RunWorker, borrowed for the duration of a call. Different
// threads use the run store, but only one at a time.
struct WorkerPorts {
  JobStore& jobs;
  RunStore& runs;
  ApplicationDependencies platform;
};

// Reports from a running worker, called from one thread at a time. Any of them
// may be empty.
struct WorkerCallbacks {
  std::function<void(const Job&)> started;
  std::function<void(const Job&)> ended;
  std::function<void(const std::string&)> progress;
  std::function<void(const std::string&)> warn;
};

// Runs until `stop` is requested or, with `until_empty`, until the queue is
// empty. Continues after a failed job. Jobs still running at `stop` become
// interrupted. Returns the jobs it ran, in the order they ended. Fails when the
// store cannot be used.
Result<std::vector<Job>> RunWorker(const WorkerRequest& request,
                                   const WorkerPorts& ports,
                                   const WorkerCallbacks& callbacks,
                                   std::stop_token stop);

// Whether a live worker serves the device.
Result<bool> HasWorker(JobStore& store, const std::string& device_id,
                       const Clock& clock);

}  // namespace mete
