// Formats runs for people: the answer first, then tables, at most 80 columns
// wide.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "domain/run.h"
#include "support/table.h"

namespace mete {

// One run: "mobilenet-v2 on box: 8.71 ms median (8.68 ms to 8.74 ms, 95 %), …",
// the latency table, the conditions of the measurement, and the layers if there
// are any: the slowest `top` of them, and the sums of each operator.
std::string RunText(const Run& run, size_t top = SIZE_MAX);

// One line per run: short id, start time (UTC), workload, device (with a * when
// it is emulated), median with the half width of its interval, p99, verdict in
// one word.
Table RunListTable(const std::vector<Run>& runs);

// Time per node, the slowest `top` first. Leaves out Constant nodes, which take
// no time.
Table LayerTable(const std::vector<LayerTime>& layers, size_t top = SIZE_MAX);
// Time per operator, the slowest first.
Table OperatorTable(const std::vector<LayerTime>& layers);

// "stable", "not converged".
std::string VerdictName(VerdictKind verdict);

// All numbers of all runs in full precision. Absent ones are empty cells.
std::string RunCsv(const std::vector<Run>& runs);

}  // namespace mete
