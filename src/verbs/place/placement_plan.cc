#include "place/placement_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "support/nearest.h"

namespace mete {
namespace {

constexpr std::array<std::pair<PlacementObjective, std::string_view>, 4>
    kObjectiveNames = {{{PlacementObjective::kRevenue, "revenue"},
                        {PlacementObjective::kLatency, "latency"},
                        {PlacementObjective::kEnergy, "energy"},
                        {PlacementObjective::kServers, "servers"}}};
constexpr std::array<std::pair<PlacementMethod, std::string_view>, 5>
    kMethodNames = {{{PlacementMethod::kAuto, "auto"},
                     {PlacementMethod::kExact, "exact"},
                     {PlacementMethod::kFast, "fast"},
                     {PlacementMethod::kGreedy, "greedy"},
                     {PlacementMethod::kSequential, "sequential"}}};

template <typename Names, typename Value>
std::string_view NameIn(const Names& names, Value value) {
  for (const auto& [known, name] : names) {
    if (known == value) return name;
  }
  return "";
}

template <typename Names>
auto FindIn(const Names& names, std::string_view text)
    -> Result<decltype(names[0].first)> {
  std::vector<std::string> known;
  for (const auto& [value, name] : names) {
    if (name == text) return value;
    known.emplace_back(name);
  }
  return InvalidInput(fmt::format("'{}' is not one of {}{}", text,
                                  fmt::join(known, ", "),
                                  DidYouMean(text, known)));
}

// Instances by application and server.
std::map<std::pair<std::string, std::string>, int> CountPlaced(
    const PlacementPlan& plan) {
  std::map<std::pair<std::string, std::string>, int> counts;
  for (const PlannedServer& server : plan.servers) {
    for (const PlacedInstances& placed : server.apps) {
      counts[{placed.app, server.name}] += placed.instances;
    }
  }
  return counts;
}

}  // namespace

std::string_view ToString(PlacementObjective objective) {
  return NameIn(kObjectiveNames, objective);
}

std::string_view ToString(PlacementMethod method) {
  return NameIn(kMethodNames, method);
}

Result<PlacementObjective> ParsePlacementObjective(std::string_view text) {
  return FindIn(kObjectiveNames, text);
}

Result<PlacementMethod> ParsePlacementMethod(std::string_view text) {
  return FindIn(kMethodNames, text);
}

std::vector<std::string> PlacedApps(const PlacementPlan& plan) {
  std::set<std::string> placed;
  for (const PlannedServer& server : plan.servers) {
    for (const PlacedInstances& one : server.apps) placed.insert(one.app);
  }
  std::vector<std::string> names;
  for (const AppDemand& app : plan.problem.apps) {
    if (placed.contains(app.name)) names.push_back(app.name);
  }
  return names;
}

int CountMoves(const PlacementPlan& plan, const PlacementPlan& previous) {
  const auto before = CountPlaced(previous);
  std::set<std::string> known;
  for (const auto& [place, count] : before) known.insert(place.first);
  int moves = 0;
  for (const auto& [place, count] : CountPlaced(plan)) {
    if (!known.contains(place.first)) continue;
    auto found = before.find(place);
    moves += std::max(0, count - (found == before.end() ? 0 : found->second));
  }
  return moves;
}

}  // namespace mete
