// Parses one of several named values on a command line.
#pragma once

#include <fmt/format.h>
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "support/nearest.h"
#include "support/result.h"

namespace mete {

// A value and its name.
template <typename Value>
struct Named {
  const char* name;
  Value value;
};

template <typename Value, size_t kCount>
std::vector<std::string> ListNames(const Named<Value> (&all)[kCount]) {
  std::vector<std::string> names;
  for (const Named<Value>& one : all) names.emplace_back(one.name);
  return names;
}

// Fails with kInvalidInput, a list of the names and the nearest one. `what`
// describes the value: "data set".
template <typename Value, size_t kCount>
Result<Value> Choose(const Named<Value> (&all)[kCount], std::string_view what,
                     std::string_view name) {
  const auto* found = std::ranges::find(all, name, &Named<Value>::name);
  if (found != std::end(all)) return found->value;
  const std::vector<std::string> names = ListNames(all);
  return InvalidInput(fmt::format("unknown {} '{}' (known: {}){}", what, name,
                                  fmt::join(names, ", "),
                                  DidYouMean(name, names)));
}

}  // namespace mete
