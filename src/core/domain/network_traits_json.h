// Converts the traits of a network to JSON and back: the format of the store
// and of a line of an export.
#pragma once

#include "domain/network_traits.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

// Omits classes of work without nodes.
Json NetworkTraitsToJson(const NetworkTraits& traits);

// Fails with kCorrupt when a key is missing or has another type.
Result<NetworkTraits> NetworkTraitsFromJson(const Json& json);

}  // namespace mete
