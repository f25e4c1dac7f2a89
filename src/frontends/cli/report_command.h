// mete report sweep: writes stored sweeps as one HTML page and as images.
#pragma once

#include "cli/verb.h"
#include "ports/plot_renderer.h"
#include "ports/sweep_store.h"

namespace mete {

// Dependencies of `mete report`, borrowed while the command runs.
struct ReportDependencies {
  SweepStore& sweeps;
  PlotRenderer& plots;
};

void AddReportCommand(Command root, Verbs& verbs,
                      Lazy<ReportDependencies> dependencies);

}  // namespace mete
