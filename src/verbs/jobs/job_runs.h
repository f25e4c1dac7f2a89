// The runs of jobs in the store, for the threads of a worker.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "domain/run.h"
#include "ports/run_store.h"
#include "support/result.h"

namespace mete {

// A RunStore serves one thread at a time; here they take turns.
class JobRuns {
 public:
  explicit JobRuns(RunStore& store) : store_(store) {}

  Status Save(const Run& run);
  // How many of these runs need not be made again: those that were cut off
  // and those that are gone do not count.
  Result<uint64_t> CountMade(const std::vector<std::string>& ids);

 private:
  std::mutex mutex_;
  RunStore& store_;
};

}  // namespace mete
