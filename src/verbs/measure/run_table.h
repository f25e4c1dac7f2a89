// Runs for people: the answer first, then tables, no line over 80 columns.
#pragma once

#include <string>
#include <vector>

#include "domain/run.h"
#include "support/table.h"

namespace mete {

// One run: "mobilenet-v2 on box: 8.71 ms median (8.68 ms to 8.74 ms, 95 %), …",
// the latency table, what it was measured with, and the layers if there are.
std::string RunText(const Run& run);

// A line a run: short id, time of start (UTC), workload, device (with a * when
// it is emulated), median with the half width of its interval, p99, verdict in
// one word.
Table RunListTable(const std::vector<Run>& runs);

// Time per node in graph order.
Table LayerTable(const std::vector<LayerTime>& layers);

// Every number of every run in full precision; absent ones are empty cells.
std::string RunCsv(const std::vector<Run>& runs);

}  // namespace mete
