// A run as JSON and back: the shape of `mete measure -o json`, of exports and
// of what a store keeps beside the samples.
#pragma once

#include <string_view>

#include "domain/run.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

// The words used for these kinds in JSON, tables and the store: "network",
// "out_of_memory", "not_converged".
std::string_view NameOf(WorkloadKind kind);
std::string_view NameOf(OutcomeKind kind);
// Fails with kCorrupt when no outcome is called so.
Result<OutcomeKind> ParseOutcome(const std::string& name);
std::string_view NameOf(VerdictKind kind);

// Everything but the samples, which are kept apart because they are many. What
// is absent in the run is absent in the JSON, never null.
Json RunToJson(const Run& run);

// Fails with kCorrupt when a key is missing or holds another kind of value,
// and with kUnsupported when a newer mete wrote it.
Result<Run> RunFromJson(const Json& json);

}  // namespace mete
