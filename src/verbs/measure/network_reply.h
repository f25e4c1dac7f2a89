// What a process that measures a network for another mete prints: one line of
// JSON with the run and its samples, or with the error.
#pragma once

#include <string>

#include "domain/run.h"
#include "support/result.h"

namespace mete {

std::string NetworkReply(const Result<Run>& measured);

// Returns the error that the line contains. Fails with kCorrupt when it is not
// such a line.
Result<Run> RunFromReply(const std::string& line);

}  // namespace mete
