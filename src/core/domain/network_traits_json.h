// The traits of a network as JSON and back: what a store keeps, and a line of
// an export.
#pragma once

#include "domain/network_traits.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

// Classes of work without nodes are left out.
Json NetworkTraitsToJson(const NetworkTraits& traits);

// Fails with kCorrupt when a key is missing or holds another kind of value.
Result<NetworkTraits> NetworkTraitsFromJson(const Json& json);

}  // namespace mete
