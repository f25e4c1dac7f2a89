// Converts limits to JSON and back: `limits` of a run and of a request.
#pragma once

#include "domain/run.h"
#include "support/json_fwd.h"

namespace mete {

// Absent limits have no key; null is never written.
Json LimitsToJson(const Limits& limits);
// Throws like the JSON library when a key has another type.
Limits LimitsFromJson(const Json& json);

}  // namespace mete
