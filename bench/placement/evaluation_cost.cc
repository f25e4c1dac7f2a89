#include "bench/placement/evaluation_cost.h"

#include <fmt/format.h>

#include <chrono>

#include "bench/placement/scenario_packing.h"
#include "optimize/bin_state.h"
#include "optimize/greedy_packing.h"
#include "optimize/pattern_pool.h"
#include "optimize/ruin_recreate.h"
#include "support/clock.h"

namespace mete {
namespace {

constexpr int kRepeats = 200;

// Nanoseconds per application to build each of the contents in an empty bin.
double BuildAll(const PackingTables& tables, const PatternPool& pool,
                const Clock& clock) {
  size_t applications = 0;
  size_t refused = 0;
  double start = clock.ProcessCpu().count();
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    for (size_t p = 0; p < pool.size(); ++p) {
      BinState bin(tables, pool[p].bin_class);
      for (const Units& units : pool[p].contents) {
        if (!bin.Fits(units)) ++refused;
        bin.Add(units);
        ++applications;
      }
    }
  }
  double spent = clock.ProcessCpu().count() - start;
  if (refused > 0) fmt::print("{} contents do not fit\n", refused);
  return 1e9 * spent / static_cast<double>(applications);
}

}  // namespace

Status MeasureEvaluation(const std::string& scenario, int servers) {
  ASSIGN_OR_RETURN(ScenarioKind kind, ParseScenarioKind(scenario));
  ASSIGN_OR_RETURN(PackingProblem problem,
                   MakeScenarioPacking({.kind = kind, .servers = servers}));
  PackingTables tables(problem);
  PatternPool pool(tables);
  std::vector<double> keys = SizesOf(tables);
  for (size_t i = 0; i < keys.size(); ++i) {
    keys[i] = tables.item(i).score / std::max(keys[i], 1e-9);
  }
  SystemClock clock;
  RuinRequest request{
      .start = PackGreedily(tables),
      .keys = keys,
      .moves = 60000 + 1800 * static_cast<size_t>(servers),
      .threads = 1,
      .limits = {.clock = &clock,
                 .deadline = clock.Now() + std::chrono::minutes(5)}};
  double start = clock.ProcessCpu().count();
  RuinResult found = RuinAndRecreate(tables, pool, request);
  double spent = clock.ProcessCpu().count() - start;
  fmt::print(
      "{} S={} R={}: {} evaluations in {:.2f} s of processor time, {:.0f} ns "
      "each with everything the search does; whole contents from scratch: "
      "{:.0f} ns per application ({} contents)\n",
      scenario, servers, problem.items.size(), found.evaluations, spent,
      1e9 * spent / static_cast<double>(found.evaluations),
      BuildAll(tables, pool, clock), pool.size());
  return {};
}

}  // namespace mete
