// The bound that needs no solver: everything that can be placed is placed.
#pragma once

#include "optimize/packing_tables.h"

namespace mete {

// At least the score of every plan.
double TrivialBound(const PackingTables& tables);

}  // namespace mete
