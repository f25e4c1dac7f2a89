// Turns the stored runs of collections into the table for training predictors.
#pragma once

#include <string>
#include <vector>

#include "domain/latency_row.h"
#include "ports/run_store.h"
#include "support/result.h"

namespace mete {

// One row per run under a known load whose network and device are known, oldest
// first.
Result<std::vector<LatencyRow>> LatencyRows(RunStore& store);

// CSV with a header line.
std::string LatencyCsv(const std::vector<LatencyRow>& rows);

}  // namespace mete
