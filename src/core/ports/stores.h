// Port: all stores of one URL.
#pragma once

#include <functional>
#include <memory>

#include "ports/job_store.h"
#include "ports/run_store.h"
#include "ports/sweep_store.h"
#include "support/result.h"

namespace mete {

// Opens the stores of one URL, each on demand: whoever needs the runs does not
// wait for the others. Every call makes a connection of its own, which may be
// used by another thread than the ones before it, and the caller owns it. It
// may outlive the Stores. A call creates what is missing and brings an older
// store up to date; it fails with kCorrupt, kInvalidInput, kUnsupported,
// kPermissionDenied or kUnavailable and one line that says what to do.
struct Stores {
  std::function<Result<std::unique_ptr<RunStore>>()> open_runs;
  std::function<Result<std::unique_ptr<JobStore>>()> open_jobs;
  std::function<Result<std::unique_ptr<SweepStore>>()> open_sweeps;
};

}  // namespace mete
