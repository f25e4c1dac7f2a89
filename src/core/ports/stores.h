// Port: all stores of one URL.
#pragma once

#include <functional>
#include <memory>

#include "ports/job_store.h"
#include "ports/profile_store.h"
#include "ports/run_store.h"
#include "ports/sweep_store.h"
#include "support/result.h"

namespace mete {

// Opens the stores of one URL, each on demand, so that a user of the runs does
// not wait for the others. Every call returns a new connection that the caller
// owns; different connections may be used by different threads and may outlive
// the Stores. A call creates what is missing and migrates an older store; it
// fails with kCorrupt, kInvalidInput, kUnsupported, kPermissionDenied or
// kUnavailable and one line that says what to do.
struct Stores {
  std::function<Result<std::unique_ptr<RunStore>>()> open_runs;
  std::function<Result<std::unique_ptr<JobStore>>()> open_jobs;
  std::function<Result<std::unique_ptr<SweepStore>>()> open_sweeps;
  std::function<Result<std::unique_ptr<ProfileStore>>()> open_profiles;
};

}  // namespace mete
