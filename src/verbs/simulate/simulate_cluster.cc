#include "simulate/simulate_cluster.h"

#include <array>
#include <atomic>
#include <mutex>
#include <thread>

#include "gpu_packing/published_policies.h"
#include "gpu_packing/residual_policy.h"
#include "support/nearest.h"

namespace mete {
namespace {

// Typical pods make up this share of all pods in FGD's experiments.
constexpr double kTypicalShare = 0.95;

constexpr std::array<const char*, 5> kPolicyNames = {"random", "bestfit",
                                                     "dotprod", "fgd", "mete"};

// What is the same for all runs.
struct SharedByRuns {
  const GpuTrace& trace;
  const SimulateRequest& request;
  PodMix mix;
};

Result<std::unique_ptr<GpuPolicy>> MakePolicy(const SharedByRuns& shared,
                                              SimulatedPolicy policy,
                                              uint64_t seed) {
  switch (policy) {
    case SimulatedPolicy::kRandom:
      return RandomPolicy(DeriveSeed(seed, "policy"));
    case SimulatedPolicy::kBestFit:
      return BestFitPolicy();
    case SimulatedPolicy::kDotProduct:
      return DotProductPolicy();
    case SimulatedPolicy::kFgd:
      return FgdPolicy(TypicalPods(shared.mix, kTypicalShare));
    case SimulatedPolicy::kMete:
      break;
  }
  ResidualPolicyRequest request{.nodes = shared.trace.nodes};
  if (!shared.request.learns) request.mix = shared.mix;
  return ResidualPolicy(request);
}

// Absent if it was stopped.
Result<std::optional<SimulatedRun>> RunOnce(const SharedByRuns& shared,
                                            size_t number, const Clock& clock,
                                            const std::stop_token& stop) {
  const SimulateRequest& request = shared.request;
  SimulatedRun run{.policy = request.policies[number / request.seeds.size()],
                   .seed = request.seeds[number % request.seeds.size()]};
  const auto start = clock.Now();
  ASSIGN_OR_RETURN(const std::unique_ptr<GpuPolicy> policy,
                   MakePolicy(shared, run.policy, run.seed));
  auto levels =
      SimulateRun(shared.trace, {.seed = run.seed, .levels = request.levels},
                  *policy, stop);
  if (!levels) return std::optional<SimulatedRun>();
  run.levels = *std::move(levels);
  run.time = clock.Now() - start;
  return std::optional(std::move(run));
}

// Runs that are still to do, shared by the threads.
class RunQueue {
 public:
  RunQueue(const SharedByRuns& shared, const SimulateDependencies& needs)
      : shared_(shared),
        needs_(needs),
        done_(shared.request.policies.size() * shared.request.seeds.size()) {}

  void Work(const std::stop_token& stop) {
    while (!stop.stop_requested() && !failed_) {
      const size_t number = next_++;
      if (number >= done_.size()) return;
      auto run = RunOnce(shared_, number, needs_.clock, stop);
      const std::lock_guard lock(mutex_);
      if (!run.ok()) {
        if (!error_) error_ = run.error();
        failed_ = true;
        return;
      }
      if (!run->has_value()) return;
      done_[number] = *std::move(run);
      if (needs_.progress) needs_.progress(++finished_, done_.size());
    }
  }

  // After all threads have ended.
  Result<std::vector<SimulatedRun>> Take() {
    if (error_) return *error_;
    std::vector<SimulatedRun> runs;
    for (std::optional<SimulatedRun>& run : done_) {
      if (run) runs.push_back(*std::move(run));
    }
    return runs;
  }

 private:
  const SharedByRuns& shared_;
  const SimulateDependencies& needs_;
  std::atomic<size_t> next_ = 0;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;
  std::vector<std::optional<SimulatedRun>> done_;
  size_t finished_ = 0;
  std::optional<Error> error_;
};

// Of all runs of a policy at one of its levels.
PolicySummary Summarize(const Simulation& simulation, SimulatedPolicy policy,
                        size_t level) {
  PolicySummary summary{.policy = policy,
                        .level = simulation.request.levels[level]};
  std::vector<double> allocated;
  for (const SimulatedRun& run : simulation.runs) {
    if (run.policy != policy) continue;
    const SimulatedLevel& at = run.levels[level];
    allocated.push_back(at.allocated);
    summary.rejected += static_cast<double>(at.AllRejected());
    summary.rejected_without_gpus += static_cast<double>(at.RejectedWith(0));
    summary.rejected_largest +=
        static_cast<double>(at.RejectedWith(simulation.most_gpus));
    summary.time += run.time;
  }
  summary.runs = allocated.size();
  if (allocated.empty()) return summary;
  const auto runs = static_cast<double>(allocated.size());
  summary.allocated = *EstimateMeanOfRuns(allocated);
  summary.rejected /= runs;
  summary.rejected_without_gpus /= runs;
  summary.rejected_largest /= runs;
  summary.time /= runs;
  return summary;
}

}  // namespace

std::string ToString(SimulatedPolicy policy) {
  return kPolicyNames[static_cast<size_t>(policy)];
}

Result<SimulatedPolicy> ParseSimulatedPolicy(const std::string& name) {
  for (size_t i = 0; i < kPolicyNames.size(); ++i) {
    if (name == kPolicyNames[i]) return static_cast<SimulatedPolicy>(i);
  }
  const std::vector<std::string> names(kPolicyNames.begin(),
                                       kPolicyNames.end());
  return InvalidInput("'" + name +
                      "' is not random, bestfit, dotprod, fgd or mete" +
                      DidYouMean(name, names));
}

Result<Simulation> SimulateCluster(const GpuTrace& trace,
                                   const SimulateRequest& request,
                                   const SimulateDependencies& needs,
                                   std::stop_token stop) {
  const SharedByRuns shared{
      .trace = trace, .request = request, .mix = MixOf(trace.pods)};
  RunQueue queue(shared, needs);
  {
    std::vector<std::jthread> threads;
    for (unsigned i = 1; i < request.jobs; ++i) {
      threads.emplace_back([&] { queue.Work(stop); });
    }
    queue.Work(stop);
  }
  Simulation simulation{.request = request, .most_gpus = trace.MostGpus()};
  ASSIGN_OR_RETURN(simulation.runs, queue.Take());
  simulation.interrupted =
      simulation.runs.size() < request.policies.size() * request.seeds.size();
  for (const SimulatedPolicy policy : request.policies) {
    for (size_t level = 0; level < request.levels.size(); ++level) {
      PolicySummary summary = Summarize(simulation, policy, level);
      if (summary.runs > 0) simulation.summaries.push_back(std::move(summary));
    }
  }
  return simulation;
}

}  // namespace mete
