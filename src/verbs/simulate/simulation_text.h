// Simulations as a table, JSON and CSV.
#pragma once

#include <string>

#include "simulate/simulate_cluster.h"
#include "support/json_fwd.h"

namespace mete {

// Means over the seeds, with 95 % intervals, below a line about the cluster.
std::string SimulationText(const GpuTrace& trace, const Simulation& simulation);
// The cluster, the summaries and every run.
Json SimulationJson(const GpuTrace& trace, const Simulation& simulation);
// A line for each run and level.
std::string SimulationCsv(const Simulation& simulation);

}  // namespace mete
