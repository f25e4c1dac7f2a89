// Proves the best plan of a small problem with Cbc, from the programs of
// bin_program.h.
#pragma once

#include <functional>
#include <vector>

#include "optimize/bin_program.h"
#include "optimize/search_limits.h"

namespace mete {

// What to prove.
struct DirectRequest {
  Patterns start;  // a plan; better ones are searched for
  std::vector<PricedBound> bounds;
  SearchLimits limits;
  std::function<void(double)> on_bound;  // may be empty
};

// The best plan found, and what no plan exceeds: both are the same to a part in
// ten million if the proof was finished in time.
struct DirectProof {
  Patterns best;
  double bound = kInfiniteBound;
};

// Whether the program is small enough for Cbc, and no oracle makes it
// incomplete.
bool ProvableDirectly(const PackingTables& tables);

// Chooses the items with the bins of each class together, which is a
// relaxation, and then deals them out to single bins (logic-based Benders
// decomposition, Hooker and Ottosson 2003). Items that provably cannot be dealt
// out are never placed together again. Fails with kUnavailable if Cbc cannot be
// loaded.
Result<DirectProof> ProveDirectly(const PackingTables& tables,
                                  const DirectRequest& request);

}  // namespace mete
