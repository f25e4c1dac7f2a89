// Formats runs for people: the answer first, then tables, at most 80 columns
// wide.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "domain/run.h"
#include "support/json_fwd.h"
#include "support/table.h"

namespace mete {

// One run: "mobilenet-v2 on box: 8.71 ms median (8.68 ms to 8.74 ms, 95 %), …",
// the latency table, the conditions of the measurement, and the layers if there
// are any: the slowest `top` of them, and the sums of each operator.
std::string RunText(const Run& run, size_t top = SIZE_MAX);

// The processes of `mete measure NET --repeat N`: mean, interval and spread,
// then one line per process. The runs have `repeats`; at least one.
std::string NetworkRepeatText(const std::vector<Run>& runs);
// {"runs": […], "summary": …}, with the keys of `repeats` and "completed".
Json NetworkRepeatJson(const std::vector<Run>& runs);

// One line per run: short id, start time (UTC), workload, median with the half
// width of its interval, p99, and the words for its outcome or verdict. If the
// runs come from several devices, the device (with a * when it is emulated)
// takes the place of p99.
Table RunListTable(const std::vector<Run>& runs);

// Time per node, the slowest `top` first. Leaves out Constant nodes, which take
// no time.
Table LayerTable(const std::vector<LayerTime>& layers, size_t top = SIZE_MAX);
// Time per operator, the slowest first.
Table OperatorTable(const std::vector<LayerTime>& layers);

// All numbers of all runs in full precision. Absent ones are empty cells.
std::string RunCsv(const std::vector<Run>& runs);

}  // namespace mete
