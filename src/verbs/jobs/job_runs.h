// Stores the runs of jobs for all threads of a worker.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "domain/run.h"
#include "ports/run_store.h"
#include "support/result.h"

namespace mete {

// Serialises access to a RunStore, which only one thread at a time may use.
class JobRuns {
 public:
  explicit JobRuns(RunStore& store) : store_(store) {}

  Status Save(const Run& run);
  // As the function of the same name in measure/speed_history.h.
  void NoteEarlierSpeed(std::chrono::system_clock::time_point since, Run& run);
  // How many of these runs need not be repeated. Interrupted runs and runs that
  // are no longer in the store do not count.
  Result<uint64_t> CountMade(const std::vector<std::string>& ids);

 private:
  std::mutex mutex_;
  RunStore& store_;
};

}  // namespace mete
