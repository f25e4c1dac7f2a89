// Sweeps as one page that opens anywhere: the answers, what limits cost in
// time, and every run.
#pragma once

#include <string>
#include <vector>

#include "domain/sweep.h"

namespace mete {

// Self-contained. Several sweeps stand side by side.
std::string SweepPage(const std::vector<Sweep>& sweeps,
                      const std::string& mete_version);

}  // namespace mete
