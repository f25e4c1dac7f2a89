// The samples of a run as a table for spreadsheets and plots.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "domain/application_details.h"

namespace mete {

// One row for each sample, in SI units; docs/reference/run.md tells the
// columns. Those of cores, GPUs and rails depend on the machine and come last.
// What could not be read is an empty cell. Names of rails must not hold commas.
std::string SamplesCsv(const std::vector<UsageSample>& samples);

// The samples of one run, and the cells that stand before each of them.
struct LabelledSamples {
  std::string label;  // "detector,1"; quoted where it must be
  std::span<const UsageSample> samples;
};

// The same for several runs, below one heading that has the columns of all of
// them: a core or GPU that only one run saw is empty in the others. `heading`
// names the cells of the labels: "application,run".
std::string SamplesCsv(const std::string& heading,
                       const std::vector<LabelledSamples>& runs);

}  // namespace mete
