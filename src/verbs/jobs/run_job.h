// Runs one job that a worker has claimed, to its end.
#pragma once

#include <filesystem>
#include <mutex>
#include <stop_token>
#include <string>

#include "domain/device.h"
#include "domain/job.h"
#include "jobs/job_runs.h"
#include "measure/application_dependencies.h"
#include "measure/progress_lines.h"
#include "ports/job_store.h"
#include "support/result.h"

namespace mete {

// Who runs it and where.
struct JobContext {
  Device device;
  std::string mete_version;
  std::string worker;
  std::filesystem::path folder;  // below which every job has its own
};

// Borrowed for the length of a call.
struct JobPorts {
  JobStore& jobs;
  JobRuns& runs;
  const ApplicationDependencies& platform;
  std::mutex& starting;  // of the jobs that run beside it (one_at_a_time.h)
};

// Makes the runs the job still lacks, keeps each as it is made, and writes the
// job's end: completed; failed, when it cannot be run; cancelled, when asked
// for; interrupted, when `stop` is requested. The job as it ended. Fails when
// the store cannot be written, and with kNotFound when the job was taken away
// meanwhile.
Result<Job> RunJob(const Job& job, const JobContext& context,
                   const JobPorts& ports, const ProgressLines& lines,
                   std::stop_token stop);

// The folder of the job's next run: numbered from 1.
std::filesystem::path NextRunFolder(const std::filesystem::path& job_folder);

}  // namespace mete
