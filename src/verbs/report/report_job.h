// Makes the result files of a job from its stored runs: the same files that a
// session writes.
#pragma once

#include <string>

#include "domain/job.h"
#include "ports/run_store.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

// The runs made so far, in the format of a session's profile.json, with `job`
// instead of `spec`. All three functions fail with kNotFound when a run was
// removed from the store and with kCorrupt when the job cannot be read.
Result<Json> JobProfile(const Job& job, RunStore& store);

// The samples of all runs in the format of a session's samples.csv. Fails with
// kNotFound when there is no run yet and when no run has a file of samples,
// with kCorrupt when a file is malformed.
Result<std::string> JobSamplesCsv(const Job& job, RunStore& store);

// A page with all runs. A run whose samples are gone has no curves. Fails with
// kNotFound when there is no run yet.
Result<std::string> JobReport(const Job& job, RunStore& store);

}  // namespace mete
