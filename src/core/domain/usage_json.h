// The part of a run's JSON that applications have: cpu, memory, io, sampling.
#pragma once

#include <optional>

#include "domain/application_figures.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

// Adds keys to the run's own object; what is absent has none.
void SetApplication(Json& run, const ApplicationFigures& figures);

// Absent when the run has no such keys. Fails with kCorrupt, or throws as the
// JSON library does, when one is of another kind.
Result<std::optional<ApplicationFigures>> ApplicationFrom(const Json& run);

}  // namespace mete
