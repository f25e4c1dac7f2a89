// mete report sweep: stored sweeps as one page, and as pictures.
#pragma once

#include "cli/verb.h"
#include "ports/plot_renderer.h"
#include "ports/sweep_store.h"

namespace mete {

// Borrowed while the command runs.
struct ReportDependencies {
  SweepStore& sweeps;
  PlotRenderer& plots;
};

void AddReportCommand(Command root, Verbs& verbs,
                      Lazy<ReportDependencies> dependencies);

}  // namespace mete
