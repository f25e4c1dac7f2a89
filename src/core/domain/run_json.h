// Converts a run to JSON and back: the format of `mete measure -o json`, of
// exports and of the store.
#pragma once

#include <string_view>

#include "domain/run.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

// The names of these kinds in JSON, tables and the store: "network",
// "out_of_memory", "not_converged".
std::string_view ToString(WorkloadKind kind);
std::string_view ToString(OutcomeKind kind);
// Fails with kCorrupt when the name is unknown.
Result<OutcomeKind> ParseOutcome(const std::string& name);
std::string_view ToString(VerdictKind kind);

// Lists only what differs from the defaults.
Json EngineOptionsToJson(const EngineOptions& options);
EngineOptions EngineOptionsFromJson(const Json& json);

// Everything except the samples, which are stored separately because they are
// many. Absent values have no key; null is never written.
Json RunToJson(const Run& run);

// Fails with kCorrupt when a key is missing or has another type, and with
// kUnsupported when a newer mete wrote it.
Result<Run> RunFromJson(const Json& json);

}  // namespace mete
