#include "cli/seed_list.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/parse_number.h"
#include "support/text.h"

namespace mete {
namespace {

constexpr uint64_t kMostSeeds = 10'000;

Error TooManySeeds() {
  return InvalidInput(fmt::format("more than {} seeds", kMostSeeds));
}

Result<std::vector<uint64_t>> ParseSeedRange(const std::string& part) {
  const std::vector<std::string> ends = SplitAt(part, '-');
  const auto first = ParseNumber<uint64_t>(ends.front());
  const auto last = ParseNumber<uint64_t>(ends.back());
  if (!first || !last || ends.size() > 2 || *last < *first) {
    return InvalidInput("'" + part + "' is not a seed or a range such as 1-10");
  }
  if (*last - *first >= kMostSeeds) return TooManySeeds();
  std::vector<uint64_t> seeds;
  for (uint64_t i = 0; i <= *last - *first; ++i) seeds.push_back(*first + i);
  return seeds;
}

}  // namespace

Result<std::vector<uint64_t>> ParseSeedList(const std::string& list) {
  std::vector<uint64_t> seeds;
  for (const std::string& part : SplitAt(list, ',')) {
    ASSIGN_OR_RETURN(const std::vector<uint64_t> range, ParseSeedRange(part));
    for (const uint64_t seed : range) {
      if (std::ranges::count(seeds, seed) == 0) seeds.push_back(seed);
    }
    if (seeds.size() > kMostSeeds) return TooManySeeds();
  }
  return seeds;
}

}  // namespace mete
