#include "collect/collected.h"

#include <cmath>

namespace mete {
namespace {

constexpr int kEveryLoad = -1;

// Rounds to per mille, so that loads entered as the same number compare equal.
int PerMille(double load) { return static_cast<int>(std::lround(load * 1000)); }

bool FailedForGood(OutcomeKind kind) {
  return kind == OutcomeKind::kOutOfMemory || kind == OutcomeKind::kTimedOut ||
         kind == OutcomeKind::kRejected;
}

}  // namespace

Result<Collected> Collected::Read(RunStore& store,
                                  const std::vector<Device>& devices) {
  Collected collected;
  for (const Device& device : devices) {
    ASSIGN_OR_RETURN(auto runs, store.ListRuns({.device = device.id}));
    for (const Run& run : runs) collected.Add(run);
  }
  return collected;
}

void Collected::Add(const Run& run) {
  if (!run.load || run.workload.kind != WorkloadKind::kNetwork) return;
  if (!run.workload.given_shapes.empty()) return;
  int load = PerMille(run.load->asked);
  if (FailedForGood(run.outcome.kind)) {
    load = kEveryLoad;
  } else if (run.outcome.kind != OutcomeKind::kCompleted) {
    return;
  }
  const Workload& workload = run.workload;
  for (const std::string& network : {workload.sha256, workload.source}) {
    ++done_[{network, workload.batch, run.device_id, load}];
  }
}

bool Collected::Has(const Combination& combination, size_t times) const {
  auto count = [&](int load) {
    auto found = done_.find(
        {combination.network, combination.batch, combination.device_id, load});
    return found == done_.end() ? 0 : found->second;
  };
  return count(kEveryLoad) > 0 || count(PerMille(combination.load)) >= times;
}

}  // namespace mete
