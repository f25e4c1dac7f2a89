// How good plans are and how fast they are proven: scenarios of NeuRO with both
// ranks of servers, synthetic contention. One line for each instance.
//
//   placement [SCENARIO SERVERS SEEDS SECONDS METHOD]...
//   placement random SEEDS
//   placement evaluation SCENARIO SERVERS
//
// SEEDS is a number N for 1..N or a range A-B; METHOD is auto, exact, fast,
// greedy, weak-first, strong-first, weak-first-exact or strong-first-exact.
// Without arguments: the table of docs/benchmarks.md. With METE_TRACE in the
// environment, scores and bounds go to stderr as they improve.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "bench/placement/evaluation_cost.h"
#include "bench/placement/random_packings.h"
#include "bench/placement/scenario_packing.h"
#include "optimize/solve_packing.h"
#include "optimize/verify_plan.h"
#include "support/clock.h"

namespace mete {
namespace {

// Instances that differ in their seed only.
struct Series {
  std::string scenario;
  int servers = 0;
  uint64_t first_seed = 1;
  uint64_t last_seed = 5;
  double seconds = 60;
  std::string method = "auto";
};

const std::map<std::string, PackingRequest>& Methods() {
  using enum PackingMethod;
  static const std::map<std::string, PackingRequest> methods = {
      {"auto", {.method = kAuto}},
      {"exact", {.method = kExact}},
      {"fast", {.method = kFast}},
      {"greedy", {.method = kGreedy}},
      {"weak-first", {.method = kSequential}},
      {"strong-first",
       {.method = kSequential, .order = BinOrder::kHighRankFirst}},
      {"weak-first-exact",
       {.method = kSequential, .filling = BinFilling::kExactly}},
      {"strong-first-exact",
       {.method = kSequential,
        .order = BinOrder::kHighRankFirst,
        .filling = BinFilling::kExactly}},
  };
  return methods;
}

Result<PackingOutcome> RunOne(const Series& series, uint64_t seed) {
  ASSIGN_OR_RETURN(ScenarioKind kind, ParseScenarioKind(series.scenario));
  ASSIGN_OR_RETURN(
      PackingProblem problem,
      MakeScenarioPacking(
          {.kind = kind, .servers = series.servers, .seed = seed}));
  PackingRequest request = Methods().at(series.method);
  request.time_limit = Seconds(series.seconds);
  request.seed = seed;
  SystemClock clock;
  if (std::getenv("METE_TRACE") != nullptr) {
    request.on_progress = [](const PackingProgress& progress) {
      fmt::print(stderr, "{:.2f} s: score {:.4f} bound {:.4f}\n",
                 progress.elapsed.count(), progress.score, progress.bound);
    };
  }
  double before = clock.ProcessCpu().count();
  ASSIGN_OR_RETURN(PackingOutcome outcome,
                   SolvePacking(problem, request, clock, {}));
  double processor = clock.ProcessCpu().count() - before;
  size_t violations = VerifyPlan(problem, outcome.plan).size();
  const PackingEffort& effort = outcome.effort;
  fmt::print(
      "{} S={} R={} seed={} {}: value {:.4f} bound {:.4f} gap {:.3f} % {}{}"
      "placed {} time {:.2f} s, processor {:.2f} s; {} violations, {} "
      "branches, {} pricings, {} "
      "patterns, {} evaluations\n",
      series.scenario, series.servers, problem.items.size(), seed,
      series.method, outcome.worth.value, outcome.bound, 100 * outcome.gap,
      outcome.optimal ? "optimal " : "", outcome.cut_short ? "cut short " : "",
      outcome.worth.placed, outcome.elapsed.count(), processor, violations,
      effort.branches, effort.pricings, effort.patterns, effort.evaluations);
  std::fflush(stdout);
  return outcome;
}

Status RunSeries(const Series& series) {
  double gaps = 0;
  double values = 0;
  size_t optimal = 0;
  size_t runs = 0;
  for (uint64_t seed = series.first_seed; seed <= series.last_seed; ++seed) {
    ASSIGN_OR_RETURN(PackingOutcome outcome, RunOne(series, seed));
    gaps += outcome.gap;
    values += outcome.worth.value;
    optimal += outcome.optimal ? 1 : 0;
    ++runs;
  }
  double n = static_cast<double>(runs);
  fmt::print(
      "{} S={} {}: {} of {} optimal, mean gap {:.3f} %, mean value {:.2f}\n",
      series.scenario, series.servers, series.method, optimal, runs,
      100 * gaps / n, values / n);
  return {};
}

std::vector<Series> DefaultSeries() {
  std::vector<Series> all;
  for (const char* scenario : {"s1", "s2", "s3"}) {
    all.push_back({.scenario = scenario, .servers = 2, .method = "exact"});
    all.push_back({.scenario = scenario, .servers = 4, .method = "exact"});
    all.push_back({.scenario = scenario, .servers = 10});
    all.push_back({.scenario = scenario,
                   .servers = 300,
                   .seconds = 10,
                   .method = "fast"});
  }
  return all;
}

struct Seeds {
  uint64_t first = 1;
  uint64_t last = 1;
};

// N or A-B.
Seeds ParseSeeds(const std::string& text) {
  size_t dash = text.find('-');
  if (dash == std::string::npos) return {.last = std::stoul(text)};
  return {.first = std::stoul(text.substr(0, dash)),
          .last = std::stoul(text.substr(dash + 1))};
}

std::vector<Series> ParseSeries(int count, char** words) {
  std::vector<Series> all;
  for (int i = 1; i + 4 < count; i += 5) {
    Seeds seeds = ParseSeeds(words[i + 2]);
    all.push_back({.scenario = words[i],
                   .servers = std::stoi(words[i + 1]),
                   .first_seed = seeds.first,
                   .last_seed = seeds.last,
                   .seconds = std::stod(words[i + 3]),
                   .method = words[i + 4]});
  }
  return all;
}

int ExitCode(const Status& status) {
  if (status.ok()) return 0;
  fmt::print(stderr, "placement: {}\n", status.error().message());
  return 1;
}

}  // namespace
}  // namespace mete

int main(int count, char** words) {
  if (count == 3 && std::string(words[1]) == "random") {
    auto seeds = mete::ParseSeeds(words[2]);
    return mete::ExitCode(mete::RunRandomPackings(seeds.first, seeds.last));
  }
  if (count == 4 && std::string(words[1]) == "evaluation") {
    return mete::ExitCode(
        mete::MeasureEvaluation(words[2], std::stoi(words[3])));
  }
  auto all =
      count > 1 ? mete::ParseSeries(count, words) : mete::DefaultSeries();
  for (const auto& series : all) {
    if (!mete::Methods().contains(series.method)) {
      fmt::print(stderr, "placement: unknown method '{}'\n", series.method);
      return 2;
    }
    auto status = mete::RunSeries(series);
    if (!status.ok()) return mete::ExitCode(status);
  }
  return 0;
}
