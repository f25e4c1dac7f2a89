#include "contend/choose_by_disagreement.h"

#include <set>

#include "contention/active_selection.h"
#include "support/check.h"

namespace mete {

Result<size_t> DisagreementChooser::Choose(
    const std::vector<Mix>& candidates,
    const std::vector<MixObservation>& rows) {
  CHECK(!candidates.empty()) << "no mix to choose from";
  std::set<std::string> applications;
  for (const Mix& mix : candidates) {
    for (const Tenant& tenant : mix.tenants) {
      applications.insert(tenant.application);
    }
  }
  const PressureCommittee committee(
      GroupByMix(rows),
      {.seed = seed_,
       .applications = {applications.begin(), applications.end()}});
  size_t chosen = 0;
  double most = -1;
  for (size_t i = 0; i < candidates.size(); ++i) {
    ASSIGN_OR_RETURN(double disagreement,
                     committee.DisagreementOn(candidates[i].tenants));
    if (disagreement <= most) continue;
    most = disagreement;
    chosen = i;
  }
  return chosen;
}

}  // namespace mete
