// Limits as JSON and back: `limits` of a run and of what to run.
#pragma once

#include "domain/run.h"
#include "support/json_fwd.h"

namespace mete {

// What is absent in the limits is absent in the JSON, never null.
Json LimitsToJson(const Limits& limits);
// Throws as the JSON library does when a key holds another kind of value.
Limits LimitsFromJson(const Json& json);

}  // namespace mete
