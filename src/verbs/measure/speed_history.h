// Compares a new run of a network with earlier ones of the same measurement, to
// notice a machine that has become faster or slower as a whole.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "domain/run.h"

namespace mete {

// A sentence if stable earlier runs disagree with `now`: their intervals do not
// overlap, and their medians differ by more than 10 %. Only runs of the same
// network, inputs, engine, options and limits on the same device count.
std::optional<std::string> CompareWithEarlier(const Run& now,
                                              const std::vector<Run>& earlier);

}  // namespace mete
