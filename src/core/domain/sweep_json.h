// Converts a sweep to JSON and back: the format of the store.
#pragma once

#include <string_view>

#include "domain/sweep.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

// "linear", "bisect".
std::string_view ToString(SweepSearch search);
Result<SweepSearch> ParseSweepSearch(const std::string& word);

// Absent values have no key.
Json PlanToJson(const SweepPlan& plan);
Json PointToJson(const SweepPoint& point);
Json SweepToJson(const Sweep& sweep);

// Fails with kCorrupt when a key is missing or has another type, and with
// kUnsupported when a newer mete wrote it.
Result<Sweep> SweepFromJson(const Json& json);

}  // namespace mete
