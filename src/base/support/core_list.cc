#include "support/core_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "support/parse_number.h"
#include "support/text.h"

namespace mete {
namespace {

// More than any machine has; a range has few numbers to look at.
constexpr int kMostCores = 1 << 16;

std::optional<CoreRange> ParseCoreRange(const std::string& text) {
  size_t dash = text.find('-');
  auto first = ParseNumber<int>(text.substr(0, dash));
  auto last = dash == std::string::npos
                  ? first
                  : ParseNumber<int>(text.substr(dash + 1));
  bool sound =
      first && last && *first >= 0 && *first <= *last && *last < kMostCores;
  if (!sound) return std::nullopt;
  return CoreRange{.first = *first, .last = *last};
}

}  // namespace

Result<std::vector<CoreRange>> ParseCoreList(std::string_view text) {
  std::vector<CoreRange> ranges;
  for (const std::string& part : SplitAt(text, ',')) {
    auto range = ParseCoreRange(part);
    if (!range) {
      return InvalidInput(fmt::format(
          "'{}' is not a list of cores; write it like 0-2,4", text));
    }
    ranges.push_back(*range);
  }
  return ranges;
}

Result<std::vector<int>> ListCores(std::string_view text) {
  ASSIGN_OR_RETURN(auto ranges, ParseCoreList(text));
  std::set<int> cores;
  for (const CoreRange& range : ranges) {
    for (int core = range.first; core <= range.last; ++core) cores.insert(core);
  }
  return std::vector<int>(cores.begin(), cores.end());
}

std::string FormatCores(const std::vector<int>& cores) {
  std::string text;
  for (size_t i = 0; i < cores.size();) {
    size_t end = i + 1;
    while (end < cores.size() && cores[end] == cores[end - 1] + 1) ++end;
    text += (text.empty() ? "" : ",") + std::to_string(cores[i]);
    if (end > i + 1) text += "-" + std::to_string(cores[end - 1]);
    i = end;
  }
  return text;
}

std::optional<int> FindMissingCore(const std::vector<CoreRange>& wanted,
                                   const std::vector<CoreRange>& existing) {
  for (const CoreRange& range : wanted) {
    for (int core = range.first; core <= range.last; ++core) {
      bool exists = std::ranges::any_of(existing, [&](const CoreRange& one) {
        return one.first <= core && core <= one.last;
      });
      if (!exists) return core;
    }
  }
  return std::nullopt;
}

}  // namespace mete
