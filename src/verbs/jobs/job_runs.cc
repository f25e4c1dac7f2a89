#include "jobs/job_runs.h"

#include "measure/keep_run.h"
#include "measure/speed_history.h"

namespace mete {

Status JobRuns::Save(const Run& run) {
  std::lock_guard lock(mutex_);
  return KeepRun(store_, run);
}

void JobRuns::NoteEarlierSpeed(std::chrono::system_clock::time_point since,
                               Run& run) {
  std::lock_guard lock(mutex_);
  mete::NoteEarlierSpeed(store_, since, run);
}

Result<uint64_t> JobRuns::CountMade(const std::vector<std::string>& ids) {
  std::lock_guard lock(mutex_);
  uint64_t made = 0;
  for (const std::string& id : ids) {
    auto run = store_.FindRun(id);
    if (!run.ok()) {
      if (run.error().code() != ErrorCode::kNotFound) return run.error();
    } else if (run->outcome.kind != OutcomeKind::kInterrupted) {
      ++made;
    }
  }
  return made;
}

}  // namespace mete
