// Sweeps as one page that opens anywhere: the answers, what limits cost in
// time, and every run.
#pragma once

#include <string>
#include <vector>

#include "domain/sweep.h"
#include "report/svg_plot.h"

namespace mete {

// Self-contained, without a script. Several sweeps stand side by side.
std::string SweepPage(const std::vector<Sweep>& sweeps,
                      const std::string& mete_version);

// Limit against seconds of a step or of a run: from the runs at each limit
// their mean and the spread. A curve for each sweep; of one along both limits a
// curve for each value of the other. Sweeps along another limit are left out.
enum class SweptLimit { kMemory, kCpus };
Plot TimePlot(const std::vector<Sweep>& sweeps, SweptLimit limit, bool steps);

}  // namespace mete
