// Runs several methods of placement on the same problem.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "place/place_apps.h"
#include "support/json_fwd.h"

namespace mete {

// A method in a comparison. To add one, add an entry to ComparedMethods().
struct ComparedMethod {
  std::string name;
  // Plans with a model of latency of its own, and may miss SLOs.
  bool rival = false;
  std::function<Result<PlacementPlan>(const PlaceAppsRequest& request,
                                      const PlaceAppsDependencies& needs,
                                      std::stop_token stop)>
      place;
};

// Every method that mete has, the quickest first.
std::vector<ComparedMethod> ComparedMethods();

// What one method made of one problem.
struct MethodResult {
  std::string problem;  // "s1 S=10 seed 1"
  std::string method;
  bool rival = false;
  int apps = 0;  // of the problem
  PlanWorth worth;
  double kept = 0;  // revenue of what keeps its SLOs
  int violations = 0;
  Seconds elapsed{0};
  std::string failure;  // "" if it made a plan
};

// Runs the methods one after another; the request's method is ignored. A method
// that fails is in the results. Ends early when `stop` is requested.
std::vector<MethodResult> CompareMethods(
    const std::string& problem, const PlaceAppsRequest& request,
    const PlaceAppsDependencies& needs,
    const std::vector<ComparedMethod>& methods, std::stop_token stop);

// Gaps are to the best bound that any method proved for the problem, and absent
// for plans that break constraints. With
// several problems, rows with the means of each method follow.
std::string MethodsText(const std::vector<MethodResult>& results);
std::string MethodsCsv(const std::vector<MethodResult>& results);
Json MethodsToJson(const std::vector<MethodResult>& results);

}  // namespace mete
