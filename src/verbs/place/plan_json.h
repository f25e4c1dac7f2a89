// plan.json: a plan as a versioned file.
#pragma once

#include <filesystem>
#include <string>

#include "place/placement_plan.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

// Changes when a reader of the old version would misread the new one.
inline constexpr int kPlanVersion = 1;

Json PlanToJson(const PlacementPlan& plan);

// Fails with kCorrupt and the place of what is wrong: another kind of file, an
// unknown version or key, an impossible number. docs/reference/place.md
// describes every key.
Result<PlacementPlan> PlanFromJson(const Json& json);
Result<PlacementPlan> ReadPlan(const std::filesystem::path& file);

}  // namespace mete
