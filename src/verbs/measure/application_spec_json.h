// Converts application specs to JSON and back, for profiles and stored jobs.
#pragma once

#include "measure/application_spec.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

// All values in base units. Absent values and defaults have no key.
Json ApplicationSpecToJson(const ApplicationSpec& spec);
// Fails with kCorrupt when a value has the wrong type or a key is unknown; the
// message suggests the nearest key. Does not check the values: see CheckSpec.
Result<ApplicationSpec> ApplicationSpecFromJson(const Json& json);

}  // namespace mete
