// Small random problems with every rule, in large numbers.
#pragma once

#include <cstddef>

#include "support/result.h"

namespace mete {

// Solves `count` problems with all methods and prints how many plans break a
// rule, exceed a bound or are better than the proven optimum: none should.
Status RunRandomPackings(size_t count);

}  // namespace mete
