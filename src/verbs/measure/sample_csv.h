// Writes the samples of runs as CSV for spreadsheets and plots.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "domain/application_details.h"
#include "support/result.h"

namespace mete {

// One row per sample, in SI units; docs/reference/run.md describes the columns.
// Columns for cores, GPUs and power rails depend on the machine and come last.
// Values that could not be read are empty cells. Rail names must not contain
// commas.
std::string SamplesCsv(const std::vector<UsageSample>& samples);

// The text of a run's samples.csv. Fails as ReadRegularFile does: an imported
// run may name any path.
Result<std::string> ReadSamples(const ApplicationDetails& application);

// The samples of one run, and the cells that precede each of them.
struct LabelledSamples {
  std::string label;  // "detector,1"; quoted where necessary
  std::span<const UsageSample> samples;
};

// The same for several runs, under one header with the columns of all of them.
// A core or GPU that only one run has is empty in the others. `heading` names
// the cells of the labels: "application,run".
std::string SamplesCsv(const std::string& heading,
                       const std::vector<LabelledSamples>& runs);

}  // namespace mete
