// Lists of random seeds on the command line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/result.h"

namespace mete {

// "1", "1-10" or "1,5,7-9", in this order and each seed once: two runs with one
// seed are one observation. Fails with kInvalidInput, also for more than 10,000
// seeds.
Result<std::vector<uint64_t>> ParseSeedList(const std::string& list);

}  // namespace mete
