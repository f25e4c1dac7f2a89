#include "optimize/solve_packing.h"

#include <algorithm>
#include <cmath>
#include <thread>
#include <utility>

#include "optimize/branch_and_price.h"
#include "optimize/column_generation.h"
#include "optimize/fluid_prices.h"
#include "optimize/greedy_packing.h"
#include "optimize/pack_by_prices.h"
#include "optimize/pack_sequentially.h"
#include "optimize/packed_bins.h"
#include "optimize/packing_tables.h"
#include "optimize/pattern_pool.h"
#include "optimize/recombine_patterns.h"
#include "optimize/ruin_recreate.h"
#include "optimize/search_limits.h"
#include "optimize/trivial_bound.h"

namespace mete {
namespace {

// `auto` proves the optimum of problems up to this size.
constexpr size_t kMostExactBins = 12;
constexpr size_t kMostExactItems = 250;
// Moves of ruin and recreate for effort 1.
constexpr double kMovesAtLeast = 60000;
constexpr double kMovesPerBin = 1800;
// Shares of the time limit at which the parts of `fast` end at the latest.
constexpr double kSearchShare = 0.5;
constexpr double kBoundShare = 0.9;
// The same for the first plan of a large problem.
constexpr double kPricedShare = 0.3;
constexpr int kRecombineNodes = 1000;
// With more bins, the bound is not finished in time as a rule. Patterns from it
// would make the plan depend on the speed of the machine.
constexpr size_t kMostRecombinedBins = 60;

// How far the score may be from the best one, relative to the value or, if only
// costs are left to improve, to the cost.
double GapOf(PackingGoal goal, const PackingWorth& worth, double bound) {
  double slack = std::max(0.0, bound - worth.score);
  double scale =
      goal == PackingGoal::kLeastCost ? worth.cost : std::abs(worth.score);
  if (slack <= 1e-9 * std::max(1.0, std::abs(bound))) return 0;
  return scale > 0 ? std::min(1.0, slack / scale) : 1;
}

// One call of SolvePacking.
class Solver {
 public:
  Solver(const PackingProblem& problem, const PackingRequest& request,
         const Clock& clock, std::stop_token stop)
      : problem_(problem),
        request_(request),
        clock_(clock),
        start_(clock.Now()),
        tables_(problem),
        pool_(tables_) {
    auto limit = std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::min(request.time_limit, Seconds(std::chrono::hours(24 * 365))));
    limits_ = {.clock = &clock, .deadline = start_ + limit, .stop = stop};
    threads_ = request.threads > 0
                   ? request.threads
                   : std::max(1u, std::thread::hardware_concurrency());
    bound_ = TrivialBound(tables_);
  }

  Result<PackingOutcome> Run() {
    outcome_.method = ChooseMethod();
    outcome_.seed = request_.seed;
    RETURN_IF_ERROR(Solve());
    outcome_.plan = PlanOf(tables_, best_);
    outcome_.worth = WorthOf(problem_, outcome_.plan);
    outcome_.bound = std::max(outcome_.worth.score, bound_);
    outcome_.gap = GapOf(problem_.goal, outcome_.worth, outcome_.bound);
    outcome_.optimal = outcome_.gap <= 1e-6;
    outcome_.effort.patterns = pool_.size();
    outcome_.elapsed = clock_.Now() - start_;
    return outcome_;
  }

 private:
  PackingMethod ChooseMethod() const {
    if (request_.method != PackingMethod::kAuto) return request_.method;
    bool small =
        tables_.bins() <= kMostExactBins && tables_.size() <= kMostExactItems;
    return small ? PackingMethod::kExact : PackingMethod::kFast;
  }

  Status Solve() {
    // Without bins, or without items that fit, nothing is the best plan.
    if (bound_ <= 0) return {};
    switch (outcome_.method) {
      case PackingMethod::kGreedy:
        Offer(PackGreedily(tables_));
        return BoundPlan();
      case PackingMethod::kSequential:
        Offer(PackSequentially(tables_, {.order = request_.order,
                                         .filling = request_.filling,
                                         .limits = limits_}));
        return BoundPlan();
      case PackingMethod::kExact:
        SearchPlan();
        return Prove();
      case PackingMethod::kFast:
      case PackingMethod::kAuto:
        break;
    }
    SearchPlan();
    RETURN_IF_ERROR(BoundPlan());
    if (ManyBins()) return {};
    outcome_.cut_short = outcome_.cut_short || bound_cut_short_;
    return Recombine();
  }

  // Whether removing copies keeps contents allowed: most searches rely on it.
  bool Monotone() const {
    return problem_.oracle == nullptr || problem_.oracle->monotone();
  }

  void Offer(Patterns patterns) {
    double score = ScoreOf(tables_, patterns);
    if (score > score_) {
      score_ = score;
      best_ = std::move(patterns);
    }
    Report();
  }

  void Report() const {
    if (!request_.on_progress) return;
    request_.on_progress({.elapsed = clock_.Now() - start_,
                          .score = score_,
                          .bound = std::max(bound_, score_)});
  }

  // The best of the simple methods, improved by search.
  void SearchPlan() {
    Offer(PackGreedily(tables_));
    if (!Monotone()) return;
    if (IsLarge(tables_)) OfferPriced();
    // Bin by bin takes too long with many.
    if (!ManyBins() || fluid_costs_.empty()) OfferSequential();
    double moves =
        request_.effort *
        (kMovesAtLeast + kMovesPerBin * static_cast<double>(tables_.bins()));
    RuinResult found = RuinAndRecreate(tables_, pool_,
                                       {.start = best_,
                                        .good_start = !fluid_costs_.empty(),
                                        .keys = Keys(),
                                        .moves = static_cast<size_t>(moves),
                                        .seed = request_.seed,
                                        .threads = threads_,
                                        .limits = limits_.Share(kSearchShare)});
    outcome_.effort.evaluations += found.evaluations;
    outcome_.cut_short = outcome_.cut_short || found.cut_short;
    Offer(std::move(found.best));
  }

  bool ManyBins() const { return tables_.bins() > kMostRecombinedBins; }

  void OfferSequential() {
    for (BinOrder order : {BinOrder::kLowRankFirst, BinOrder::kHighRankFirst}) {
      Offer(PackSequentially(tables_,
                             {.order = order, .limits = limits_.Share(0.1)}));
    }
  }

  void OfferPriced() {
    fluid_costs_ = FindFluidPrices(tables_, BinsOfClasses(tables_)).costs;
    if (fluid_costs_.empty()) return;
    SearchLimits limits = limits_.Share(kPricedShare);
    Offer(PackByPrices(
        tables_,
        {.costs = fluid_costs_, .threads = threads_, .limits = limits}));
    outcome_.cut_short = outcome_.cut_short || limits.Over();
  }

  std::vector<double> Keys() const {
    if (!fluid_costs_.empty()) return KeysOf(tables_, fluid_costs_);
    std::vector<double> keys = SizesOf(tables_);
    for (size_t i = 0; i < keys.size(); ++i) {
      keys[i] = tables_.item(i).score / std::max(keys[i], 1e-9);
    }
    return keys;
  }

  double Enough() const {
    return score_ + std::max(request_.gap, 2e-7) * std::abs(score_);
  }

  // Column generation without branching.
  Status BoundPlan() {
    pool_.AddAll(best_);
    GenerationRequest generation{.limits = limits_.Share(kBoundShare),
                                 .enough = Enough(),
                                 .tail = 0.02,
                                 .spread = SpreadOf(),
                                 .threads = threads_,
                                 .start = &best_};
    generation.on_round = [this](double bound) {
      bound_ = std::min(bound_, bound);
      Report();
    };
    Branch whole = WholeProblem(tables_);
    ASSIGN_OR_RETURN(generated_,
                     GenerateColumns(tables_, whole, pool_, generation));
    bound_ = std::min(bound_, generated_.bound);
    bound_cut_short_ = generation.limits.Over();
    outcome_.effort.pricings += generated_.pricings;
    return {};
  }

  // Many bins need many new patterns in each round.
  size_t SpreadOf() const {
    return std::min<size_t>(40, tables_.bins() / 4 + 2);
  }

  Status Recombine() {
    Seconds left = limits_.Left();
    if (left < Seconds(0.05) || score_ >= bound_) return {};
    ASSIGN_OR_RETURN(
        Patterns patterns,
        RecombinePatterns(
            tables_, pool_,
            {.prices =
                 generated_.optimum ? &generated_.optimum->prices : nullptr,
             .start = best_,
             .limits = {.time = left,
                        .nodes = kRecombineNodes,
                        .stop = limits_.stop}}));
    Offer(std::move(patterns));
    return {};
  }

  Status Prove() {
    ExactRequest exact{.limits = limits_,
                       .start = best_,
                       .gap = request_.gap,
                       .seed = request_.seed,
                       .threads = threads_};
    exact.on_progress = [this](double score, double bound) {
      score_ = std::max(score_, score);
      bound_ = std::min(bound_, bound);
      Report();
    };
    ASSIGN_OR_RETURN(ExactResult result, BranchAndPrice(tables_, pool_, exact));
    best_ = result.best;
    score_ = result.score;
    bound_ = std::min(bound_, result.bound);
    outcome_.cut_short = outcome_.cut_short || !result.complete;
    outcome_.effort.pricings += result.pricings;
    outcome_.effort.branches += result.branches;
    return {};
  }

  const PackingProblem& problem_;
  const PackingRequest& request_;
  const Clock& clock_;
  std::chrono::nanoseconds start_;
  PackingTables tables_;
  PatternPool pool_;
  SearchLimits limits_;
  size_t threads_ = 1;
  Patterns best_;
  double score_ = 0;  // of best_
  double bound_ = 0;
  std::vector<double> fluid_costs_;  // of a unit of each item, if found
  GenerationResult generated_;
  bool bound_cut_short_ = false;
  PackingOutcome outcome_;
};

}  // namespace

Result<PackingOutcome> SolvePacking(const PackingProblem& problem,
                                    const PackingRequest& request,
                                    const Clock& clock, std::stop_token stop) {
  RETURN_IF_ERROR(CheckProblem(problem));
  return Solver(problem, request, clock, std::move(stop)).Run();
}

}  // namespace mete
