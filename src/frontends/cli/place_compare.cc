// mete place compare: all methods on the same problems.
#include <fmt/format.h>

#include "cli/place_actions.h"
#include "cli/seed_list.h"
#include "place/compare_methods.h"
#include "place/cost_table.h"
#include "place/scenario.h"
#include "place/synthetic_costs.h"
#include "support/json.h"
#include "support/text.h"

namespace mete {
namespace {

struct CompareMethodsFlags {
  PlaceSearchFlags search;
  std::string scenario;
  int size = 2;
  std::string seeds = "1";
  std::string methods;
  std::string memory = "32Gi";
  std::string rank_low = "0.5";
};

// The tables of a scenario are made, not read.
Result<std::shared_ptr<const CostModel>> SyntheticCostsOf(
    const ServerType& type) {
  const bool weak = type.name == kWeakServers;
  return std::shared_ptr<const CostModel>(std::make_shared<TableCosts>(
      MakeSyntheticCosts(weak ? kWeakServer : kStrongServer), type.costs));
}

Result<std::vector<ComparedMethod>> ChooseMethods(const std::string& names) {
  std::vector<ComparedMethod> all = ComparedMethods();
  if (names.empty()) return all;
  std::vector<ComparedMethod> chosen;
  for (const std::string& name : SplitAt(names, ',')) {
    const size_t before = chosen.size();
    for (const ComparedMethod& one : all) {
      if (one.name == name || one.name.starts_with(name + " ")) {
        chosen.push_back(one);
      }
    }
    if (chosen.size() > before) continue;
    std::string known;
    for (const ComparedMethod& one : all) {
      known += (known.empty() ? "" : ", ") + one.name;
    }
    return InvalidInput("there is no method '" + name + "'; known: " + known);
  }
  return chosen;
}

// One problem of the comparison with its costs.
struct ComparedProblem {
  std::string name;
  PlaceAppsRequest request;
  CostModelSource costs;
};

Result<std::vector<ComparedProblem>> DrawProblems(
    const CompareMethodsFlags& flags) {
  ASSIGN_OR_RETURN(std::vector<uint64_t> seeds, ParseSeedList(flags.seeds));
  ScenarioRequest draw{.servers = flags.size};
  ASSIGN_OR_RETURN(draw.kind, ParseScenarioKind(flags.scenario));
  ASSIGN_OR_RETURN(draw.memory, ParseBytes(flags.memory));
  ASSIGN_OR_RETURN(draw.rank_low, ParseRatio(flags.rank_low));
  ASSIGN_OR_RETURN(PlaceAppsRequest search, MakePlaceSearch(flags.search));
  std::vector<ComparedProblem> problems;
  for (uint64_t seed : seeds) {
    draw.seed = seed;
    search.seed = seed;
    ASSIGN_OR_RETURN(search.problem, MakeScenario(draw));
    problems.push_back({.name = fmt::format("{} S={} seed {}", flags.scenario,
                                            flags.size, seed),
                        .request = search,
                        .costs = SyntheticCostsOf});
  }
  return problems;
}

Result<std::vector<ComparedProblem>> FindProblems(
    const CompareMethodsFlags& flags, const PlaceCommandDependencies& needs) {
  const bool files =
      !flags.search.apps.empty() && !flags.search.servers.empty();
  if (files == !flags.scenario.empty()) {
    return InvalidInput("expected --scenario, or --apps and --servers");
  }
  if (!files) return DrawProblems(flags);
  ASSIGN_OR_RETURN(PlaceAppsRequest request,
                   MakePlaceRequest(flags.search, needs, {}));
  return std::vector<ComparedProblem>{{.name = flags.search.apps,
                                       .request = std::move(request),
                                       .costs = needs.placing.costs}};
}

Result<ExitCode> Compare(Invocation& invocation,
                         const CompareMethodsFlags& flags,
                         const PlaceCommandDependencies& needs) {
  ASSIGN_OR_RETURN(auto methods, ChooseMethods(flags.methods));
  ASSIGN_OR_RETURN(auto problems, FindProblems(flags, needs));
  std::vector<MethodResult> results;
  for (const ComparedProblem& problem : problems) {
    for (const ComparedMethod& method : methods) {
      invocation.console.Progress(problem.name + ": " + method.name + " …");
      auto made =
          CompareMethods(problem.name, problem.request,
                         {.costs = problem.costs, .clock = needs.placing.clock},
                         {method}, invocation.stop);
      results.insert(results.end(), made.begin(), made.end());
    }
  }
  invocation.console.ClearProgress();
  invocation.output.Print({.text = [&] { return MethodsText(results); },
                           .json = [&] { return MethodsToJson(results); },
                           .csv = [&] { return MethodsCsv(results); }});
  if (invocation.stop.stop_requested()) return ExitCode::kInterrupted;
  // That rivals miss SLOs is a result; that mete does would be a bug.
  for (const MethodResult& one : results) {
    const bool wrong = one.violations > 0 && !one.rival;
    if (!one.failure.empty() || wrong) return ExitCode::kError;
  }
  return ExitCode::kDone;
}

}  // namespace

void AddPlaceCompare(Command place, Verbs& verbs,
                     const Lazy<PlaceCommandDependencies>& dependencies) {
  auto flags = std::make_shared<CompareMethodsFlags>();
  Command compare =
      place.Add("compare", "Compare the methods on the same problems",
                "mete place compare --scenario s1 --size 4 --seeds 1,2,3");
  compare
      .Option("--scenario", flags->scenario,
              "Random problems as NeuRO draws them: s1, s2 or s3")
      .Check(ParseScenarioKind, "KIND");
  compare.Option("--size", flags->size, "Servers of a scenario (default 2)")
      .Within(1, 100'000);
  compare
      .Option("--seeds", flags->seeds,
              "Seeds, one problem each: 1-5 or 1,3 (default 1)")
      .Check(ParseSeedList, "RANGE");
  compare
      .Option("--memory", flags->memory, "Memory of each server (default 32Gi)")
      .Check(ParseBytes, "BYTES");
  compare
      .Option("--rank-low", flags->rank_low,
              "Share of weak servers (default 0.5)")
      .Check(ParseRatio, "SHARE");
  compare.Option("--apps", flags->search.apps, "Own problem: what to place")
      .Placeholder("FILE");
  compare
      .Option("--servers", flags->search.servers, "Own problem: where to place")
      .Placeholder("FILE");
  compare
      .Option("--methods", flags->methods, "Only these methods (default: all)")
      .Placeholder("NAME,...");
  compare
      .Option("--time-limit", flags->search.time_limit,
              "Time of each method (default 10s)")
      .Check(ParseDuration, "DURATION");
  compare
      .Option("--gap", flags->search.gap,
              "Stop when this gap is proven (default 1%)")
      .Check(ParseRatio, "SHARE");
  verbs.push_back(
      {.command = compare,
       .run = [=](Invocation& invocation) -> Result<ExitCode> {
         ASSIGN_OR_RETURN(PlaceCommandDependencies needs, dependencies());
         return PlaceOrUsage(invocation, Compare(invocation, *flags, needs));
       },
       .interruptible = true});
}

}  // namespace mete
