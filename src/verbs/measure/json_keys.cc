#include "measure/json_keys.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/json.h"
#include "support/nearest.h"

namespace mete {

Status CheckKeys(const Json& json, const std::string& section,
                 const std::vector<std::string>& keys) {
  if (!json.is_object()) {
    return Corrupt(section.empty()
                       ? "it is not an object"
                       : fmt::format("'{}' is not an object",
                                     section.substr(0, section.size() - 1)));
  }
  std::vector<std::string> names;
  for (const std::string& key : keys) names.push_back(section + key);
  for (const auto& entry : json.items()) {
    const std::string name = section + entry.key();
    if (std::ranges::find(names, name) != names.end()) continue;
    return Corrupt(
        fmt::format("unknown key '{}'{}", name, DidYouMean(name, names)));
  }
  return {};
}

Status CheckWhole(const Json& json, const std::string& section, const char* key,
                  uint64_t most) {
  auto found = json.find(key);
  if (found == json.end()) return {};
  bool whole = found->is_number_unsigned() ||
               (found->is_number_integer() && found->get<int64_t>() >= 0);
  if (whole && found->get<uint64_t>() <= most) return {};
  return Corrupt(fmt::format("'{}{}' is not a whole number from 0 to {}",
                             section, key, most));
}

}  // namespace mete
