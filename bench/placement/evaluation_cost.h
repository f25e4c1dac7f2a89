// How long it takes to evaluate the contents of a server inside the search.
#pragma once

#include <string>

#include "support/result.h"

namespace mete {

// Searches plans for one instance and prints the processor time per evaluation
// of an application, inside the search and for whole contents from scratch.
Status MeasureEvaluation(const std::string& scenario, int servers);

}  // namespace mete
