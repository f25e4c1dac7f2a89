// Runs two commands in turn and compares how long they take.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "compare/comparison.h"
#include "domain/run.h"
#include "measure/application_spec.h"
#include "measure/measure_application.h"
#include "measure/progress_lines.h"
#include "support/result.h"

namespace mete {

// The two applications and how often to run them. Their `repeat` is ignored.
struct CompareCommandsRequest {
  ApplicationSpec first;
  ApplicationSpec second;
  uint64_t repeat = 10;  // runs of each
  uint64_t warmup = 0;   // runs of each before the first that counts
  std::string prepare;   // shell command before every run; empty: none
  bool allow_privileged = false;
  std::string mete_version;
};

// What came out of it. Ends early after a run that did not succeed, cannot be
// stored, or was interrupted.
struct CommandsCompared {
  // Of the complete pairs; absent without one, and when a run did not succeed.
  std::optional<Comparison> comparison;
  std::optional<Run> unsuccessful;  // the run that ended it early
  Status stored;                    // whether all runs are in the store
};

// Looks for other users of the CPUs first, then runs A B A B …, so that a
// machine that slows down affects both alike. Stores every run except the
// warm-up. Fails when an application cannot be
// run at all, and when `prepare` fails.
Result<CommandsCompared> CompareCommands(
    const CompareCommandsRequest& request,
    const MeasureApplicationDependencies& dependencies,
    const ProgressLines& lines, std::stop_token stop);

// Splits a command line into program and arguments. Fails with kInvalidInput
// when it is empty or contains an operator that only a shell understands.
Result<std::vector<std::string>> SplitComparedCommand(const std::string& text);

}  // namespace mete
