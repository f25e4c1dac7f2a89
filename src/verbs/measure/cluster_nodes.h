// The nodes of a cluster that a user selects.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "ports/launcher.h"
#include "support/result.h"

namespace mete {

// "all": the nodes that accept pods now; else names between commas. Fails with
// kInvalidInput for a name that is empty or given twice, with kUnavailable when
// no node is ready, and as Launcher::Nodes does.
Result<std::vector<std::string>> SelectNodes(const std::string& selection,
                                             Launcher& launcher,
                                             std::stop_token stop);

}  // namespace mete
