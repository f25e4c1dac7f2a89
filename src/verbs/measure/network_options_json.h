// Converts the options of a network to JSON and back, for profiles and stored
// jobs.
#pragma once

#include "measure/network_options.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

// All values in base units. Absent values and defaults have no key.
Json NetworkOptionsToJson(const NetworkOptions& options);
// Fails with kCorrupt when a value has the wrong type or a key is unknown. Does
// not check the values: see CheckNetworkOptions. Call it inside ReadJson.
Result<NetworkOptions> NetworkOptionsFromJson(const Json& json);

}  // namespace mete
