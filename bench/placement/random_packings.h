// Small random problems with every rule, in large numbers.
#pragma once

#include <cstdint>

#include "support/result.h"

namespace mete {

// Solves the problems of these seeds with all methods and prints how many plans
// break a rule, exceed a bound or are better than the proven optimum: none
// should.
Status RunRandomPackings(uint64_t first, uint64_t last);

}  // namespace mete
