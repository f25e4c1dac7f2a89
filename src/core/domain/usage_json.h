// The part of a run's JSON that only applications have: cpu, memory, io,
// sampling.
#pragma once

#include "domain/application_details.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

// Adds keys to the run's own object; absent values have none. An application
// that was never started has no keys at all.
void SetApplication(Json& run, const ApplicationDetails& results);

// Without such keys, the application was never started. Fails with kCorrupt, or
// throws like the JSON library, when a value has another type.
Result<ApplicationDetails> ApplicationFrom(const Json& run);

}  // namespace mete
