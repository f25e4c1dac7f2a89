// A worker: takes the jobs of its device out of the queue and runs them.
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

struct WorkerRequest {
  Device device;
  std::string mete_version;
  std::string name;              // unlike that of any other worker
  std::filesystem::path folder;  // for the files of its jobs
  size_t parallel = 1;           // jobs at once
  bool until_empty = false;      // ends when no job waits
};

// Borrowed for the length of a call. The run store is used by one thread at a
// time, but not always by the same.
struct WorkerPorts {
  JobStore& jobs;
  RunStore& runs;
  ApplicationDependencies platform;
};

// What it tells meanwhile, from one thread at a time. All may be empty.
struct WorkerCallbacks {
  std::function<void(const Job&)> started;
  std::function<void(const Job&)> ended;
  std::function<void(const std::string&)> progress;
  std::function<void(const std::string&)> warn;
};

// Runs until `stop` is requested, or the queue is empty when that is asked
// for. A job that fails does not stop it; jobs that run when it is stopped
// become interrupted. The jobs it ran, in the order of their end. Fails when
// the store cannot be used.
Result<std::vector<Job>> RunWorker(const WorkerRequest& request,
                                   const WorkerPorts& ports,
                                   const WorkerCallbacks& callbacks,
                                   std::stop_token stop);

// Whether somebody runs the jobs of the device.
Result<bool> HasWorker(JobStore& store, const std::string& device_id,
                       const Clock& clock);

}  // namespace mete
