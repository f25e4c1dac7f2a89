// The samples of a run as a table for spreadsheets and plots.
#pragma once

#include <string>
#include <vector>

#include "domain/resource_usage.h"

namespace mete {

// One row for each sample, in SI units; docs/reference/run.md tells the
// columns. Those of cores, GPUs and rails depend on the machine and come last.
// What could not be read is an empty cell. Names of rails must not hold commas.
std::string SamplesCsv(const std::vector<UsageSample>& samples);

}  // namespace mete
