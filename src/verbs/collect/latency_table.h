// The stored runs of collections as the table that predictors are trained from.
#pragma once

#include <string>
#include <vector>

#include "domain/latency_row.h"
#include "ports/run_store.h"
#include "support/result.h"

namespace mete {

// One row for each run of a network under a known load whose network and
// device are known, oldest first.
Result<std::vector<LatencyRow>> LatencyRows(RunStore& store);

// With its heading.
std::string LatencyCsv(const std::vector<LatencyRow>& rows);

}  // namespace mete
