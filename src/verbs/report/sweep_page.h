// Makes one page from sweeps: the answers, the time that limits cost, and every
// run.
#pragma once

#include <string>
#include <vector>

#include "domain/sweep.h"

namespace mete {

// The page is self-contained. Compares several sweeps side by side.
std::string SweepPage(const std::vector<Sweep>& sweeps,
                      const std::string& mete_version);

}  // namespace mete
