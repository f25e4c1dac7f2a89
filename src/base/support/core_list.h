// Lists of processor cores as the kernel writes them: "0-2,4".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace mete {

// Cores with consecutive numbers.
struct CoreRange {
  int first = 0;
  int last = 0;  // included
};

// Fails with kInvalidInput unless the text is a list of numbers and ascending
// ranges.
Result<std::vector<CoreRange>> ParseCoreList(std::string_view text);

// The numbers of all cores in the list, ascending and each once. Fails as
// ParseCoreList does.
Result<std::vector<int>> ListCores(std::string_view text);

// "0-2,4" for ascending numbers.
std::string FormatCores(const std::vector<int>& cores);

// The first core of `wanted` that is not in `existing`; absent if all are.
std::optional<int> FindMissingCore(const std::vector<CoreRange>& wanted,
                                   const std::vector<CoreRange>& existing);

}  // namespace mete
