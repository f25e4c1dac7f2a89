#include "cli/place_simulate_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/seed_list.h"
#include "simulate/simulate_cluster.h"
#include "simulate/simulation_text.h"
#include "support/json.h"
#include "support/parse_number.h"
#include "support/text.h"

namespace mete {
namespace {

constexpr double kHighestLevel = 100;

struct PlaceSimulateFlags {
  std::string nodes;
  std::string pods;
  std::string policies = "mete";
  std::optional<std::string> seed;
  std::optional<std::string> seeds;
  std::string arrived = "100%";
  std::string mix = "known";
  int jobs = 1;
  bool ignore_gpu_spec = false;
};

Result<std::vector<SimulatedPolicy>> ParsePolicies(const std::string& list) {
  std::vector<SimulatedPolicy> policies;
  if (list == "all") {
    return std::vector{SimulatedPolicy::kRandom, SimulatedPolicy::kDotProduct,
                       SimulatedPolicy::kBestFit, SimulatedPolicy::kFgd,
                       SimulatedPolicy::kMete};
  }
  for (const std::string& name : SplitAt(list, ',')) {
    ASSIGN_OR_RETURN(const SimulatedPolicy policy, ParseSimulatedPolicy(name));
    if (std::ranges::count(policies, policy) > 0) {
      return InvalidInput("'" + name + "' is there twice");
    }
    policies.push_back(policy);
  }
  return policies;
}

Result<std::vector<double>> ParseLevels(const std::string& list) {
  std::vector<double> levels;
  for (const std::string& part : SplitAt(list, ',')) {
    ASSIGN_OR_RETURN(const double level, ParseRatio(part));
    if (!(level > 0 && level <= kHighestLevel)) {
      return InvalidInput("'" + part + "' is not between 0% and 10000%");
    }
    levels.push_back(level);
  }
  std::ranges::sort(levels);
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  return levels;
}

// Whether the policy learns the mix.
Result<bool> ParseMix(const std::string& name) {
  if (name == "known") return false;
  if (name == "learned") return true;
  return InvalidInput("'" + name + "' is not known or learned");
}

// The texts were checked when they were parsed.
SimulateRequest MakeSimulateRequest(const PlaceSimulateFlags& flags) {
  return {
      .policies = *ParsePolicies(flags.policies),
      .seeds = *ParseSeedList(flags.seeds.value_or(flags.seed.value_or("1"))),
      .levels = *ParseLevels(flags.arrived),
      .learns = *ParseMix(flags.mix),
      .jobs = static_cast<unsigned>(flags.jobs)};
}

void WarnOfLargePods(Console& console, const GpuTrace& trace) {
  if (trace.too_large == 0) return;
  console.Warn(fmt::format(
      "{} no empty node and {} always rejected; the first is '{}'",
      trace.too_large == 1 ? "1 pod fits on"
                           : Counted(trace.too_large, "pod") + " fit on",
      trace.too_large == 1 ? "is" : "are", trace.first_too_large));
}

Result<ExitCode> SimulateTrace(Invocation& invocation, const GpuTrace& trace,
                               const SimulateRequest& request) {
  const SystemClock clock;
  const SimulateDependencies needs{
      .clock = clock, .progress = [&](size_t done, size_t all) {
        invocation.console.Progress(fmt::format("run {} of {}", done, all));
      }};
  auto simulated = SimulateCluster(trace, request, needs, invocation.stop);
  invocation.console.ClearProgress();
  if (!simulated.ok()) return simulated.error();
  const Simulation& simulation = *simulated;
  invocation.output.Print({
      .text = [&] { return SimulationText(trace, simulation); },
      .json = [&] { return SimulationJson(trace, simulation); },
      .csv = [&] { return SimulationCsv(simulation); },
  });
  return simulation.interrupted ? ExitCode::kInterrupted : ExitCode::kDone;
}

Result<ExitCode> PlaceSimulate(Invocation& invocation,
                               const PlaceSimulateFlags& flags) {
  auto trace = ReadGpuTrace(flags.nodes, flags.pods);
  if (!trace.ok()) {
    if (trace.error().code() != ErrorCode::kInvalidInput) return trace.error();
    invocation.console.Error("mete place simulate: " + trace.error().message());
    return ExitCode::kUsage;
  }
  if (trace->too_large == trace->pods.size()) {
    invocation.console.Error(
        "mete place simulate: no pod fits on any node, not even on an empty "
        "one");
    return ExitCode::kInfeasible;
  }
  WarnOfLargePods(invocation.console, *trace);
  if (flags.ignore_gpu_spec) {
    for (PodShape& pod : trace->pods) pod.types = 0;
  }
  return SimulateTrace(invocation, *trace, MakeSimulateRequest(flags));
}

void AddPlaceSimulateFlags(Command command, PlaceSimulateFlags& flags) {
  command.Option("--nodes", flags.nodes, "Nodes of the cluster (CSV)")
      .Placeholder("FILE")
      .Required();
  command.Option("--pods", flags.pods, "Pods to draw arrivals from (CSV)")
      .Placeholder("FILE")
      .Required();
  command
      .Option("--policy", flags.policies,
              "random, bestfit, dotprod, fgd, mete (default), several of them, "
              "or all")
      .Check(ParsePolicies, "NAME[,NAME...]");
  Flag seed =
      command.Option("--seed", flags.seed, "Order of arrivals (default 1)")
          .Check(ParseSeedList, "N");
  command.Option("--seeds", flags.seeds, "Several orders, e.g. 1-10 or 1,5,7-9")
      .Check(ParseSeedList, "RANGE")
      .Excludes(seed);
  command
      .Option("--arrived", flags.arrived,
              "Report when this much GPU demand has arrived, as a share of the "
              "cluster (default 100%)")
      .Check(ParseLevels, "RATIO[,RATIO...]");
  command
      .Option("--mix", flags.mix,
              "Whether the policy mete knows the mix of pods: known (default) "
              "or learned from arrivals")
      .Check(ParseMix, "MIX");
  command.Option("--jobs", flags.jobs, "Runs at the same time (default 1)")
      .Within(1, 256);
  command.Switch("--ignore-gpu-spec", flags.ignore_gpu_spec,
                 "Let every pod run on every type of GPU");
}

}  // namespace

void AddPlaceSimulate(Command place, Verbs& verbs) {
  auto flags = std::make_shared<PlaceSimulateFlags>();
  Command command = place.Add(
      "simulate", "Simulate policies for pods that arrive at a GPU cluster",
      "mete place simulate --nodes nodes.csv --pods pods.csv \\\n"
      "      --policy fgd,mete --seeds 1-10 --arrived 100%,130%");
  AddPlaceSimulateFlags(command, *flags);
  verbs.push_back({.command = command,
                   .run =
                       [=](Invocation& invocation) {
                         return PlaceSimulate(invocation, *flags);
                       },
                   .interruptible = true});
}

}  // namespace mete
