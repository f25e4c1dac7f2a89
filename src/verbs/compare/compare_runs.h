// Compares stored runs.
#pragma once

#include <string>
#include <vector>

#include "compare/comparison.h"
#include "ports/run_store.h"
#include "support/result.h"

namespace mete {

// The runs of both sides: ids or unambiguous prefixes, at least one each.
struct CompareRunsRequest {
  std::vector<std::string> first;
  std::vector<std::string> second;
};

// Compares one run of a network with another by the latencies of their
// inferences. Otherwise each run counts as one value: the duration of an
// application, the median latency of a network. Fails as RunStore::FindRun
// does, and with kInvalidInput when a run did not succeed, is named twice or
// is of another kind than the others.
Result<Comparison> CompareRuns(const CompareRunsRequest& request,
                               RunStore& store);

}  // namespace mete
