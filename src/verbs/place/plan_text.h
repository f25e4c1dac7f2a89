// A plan for people: text, CSV, and the comparison of several plans.
#pragma once

#include <string>
#include <vector>

#include "place/placement_plan.h"

namespace mete {

// "placed 11 of 12 apps on 3 of 4 servers, revenue 91.2".
std::string PlanHeadline(const PlacementPlan& plan);
// "at most 93.0 is possible (gap 1.9 %)", with the method, time and seed.
std::string PlanProof(const PlacementPlan& plan);
// "1,234 constraints checked, none violated", or the violations.
std::string VerificationText(const PlanVerification& verification);
// What is placed, what is rejected and why.
std::string PlanText(const PlacementPlan& plan);
// One row per application and server; rejected ones have no server.
std::string PlanCsv(const PlacementPlan& plan);

// A plan with the name it has in a comparison.
struct NamedPlan {
  std::string name;
  PlacementPlan plan;
};
// One row for each plan, and the applications that the plans place differently.
std::string ComparePlansText(const std::vector<NamedPlan>& plans);
std::string ComparePlansCsv(const std::vector<NamedPlan>& plans);

// "91.2", "12.5 W", "3 servers": a value of the objective.
std::string ObjectiveText(PlacementObjective objective, double value);

}  // namespace mete
