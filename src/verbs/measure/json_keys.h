// Checks of JSON objects that people write: no unknown keys, whole numbers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

// Fails unless it is an object with no other keys than these. Messages put
// `section` ("limits.") in front of a key.
Status CheckKeys(const Json& json, const std::string& section,
                 const std::vector<std::string>& keys);

// Fails unless the key is absent or an integer from 0 to `most`, the largest
// value of its type: the library would truncate or wrap others. The allowed
// range is checked elsewhere (application_bounds.h).
Status CheckWhole(const Json& json, const std::string& section, const char* key,
                  uint64_t most);

}  // namespace mete
