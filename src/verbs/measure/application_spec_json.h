// What to run as JSON and back: in a profile, in a stored job.
#pragma once

#include "measure/application_spec.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

// Everything in base units; what is absent or as usual has no key.
Json ApplicationSpecToJson(const ApplicationSpec& spec);
// Fails with kCorrupt when a key holds another kind of value or is unknown, and
// then names the nearest. Whether the values make sense is for CheckSpec.
Result<ApplicationSpec> ApplicationSpecFromJson(const Json& json);

}  // namespace mete
