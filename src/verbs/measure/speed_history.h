// Compares a new run of a network with earlier ones of the same measurement, to
// notice a machine that has become faster or slower as a whole.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "domain/run.h"
#include "ports/run_store.h"

namespace mete {

// A sentence if stable earlier runs disagree with `now`: their intervals do not
// overlap, and their medians differ by more than 10 %. Only runs of the same
// network, inputs, engine, options and limits on the same device count.
std::optional<std::string> CompareWithEarlier(const Run& now,
                                              const std::vector<Run>& earlier);

// The same for the newest runs of that workload and device in the store.
std::optional<std::string> CompareWithStored(const Run& now, RunStore& runs);

// Adds that sentence to the notes of a network's run; other runs stay as they
// are. Runs that started at `since` or later do not count: they belong to the
// same repetition.
void NoteEarlierSpeed(RunStore& runs,
                      std::chrono::system_clock::time_point since, Run& run);

}  // namespace mete
