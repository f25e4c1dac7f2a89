#include "optimize/branch_and_price.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <utility>

#include "optimize/choose_patterns.h"
#include "optimize/dive.h"
#include "optimize/pack_by_prices.h"
#include "optimize/packed_bins.h"
#include "optimize/parallel_for.h"
#include "optimize/prove_directly.h"
#include "optimize/recombine_patterns.h"
#include "optimize/ruin_recreate.h"
#include "optimize/trim_patterns.h"
#include "support/random.h"

namespace mete {
namespace {

// Branching starts when a quarter of the gap is left to column generation.
constexpr double kTail = 0.25;
// Cones of one pricing at most, while branching can replace them.
constexpr size_t kFewBoxes = 256;
constexpr size_t kManyBoxes = 100000;
// The same for the whole problem, whose prices are used the most: by Cbc and by
// all branches. With many bins, branches hardly lower its bound.
constexpr double kRootTail = 0.1;
// Share of the time for Cbc, if the problem is small.
constexpr double kDirectShare = 0.65;
// Share of the time that is left for dives, and of that for the dives
// themselves; the rest is for improving what they find.
constexpr double kDivesShare = 0.8;
constexpr double kDiveShare = 0.75;
constexpr size_t kDiveMoves = 300000;
constexpr size_t kMostDivePatterns = 3000;  // to start from
// Branches between recombinations of the patterns found.
constexpr size_t kRecombineEvery = 100;

struct LowerBound {
  bool operator()(const Branch& a, const Branch& b) const {
    return a.bound != b.bound ? a.bound < b.bound : a.depth < b.depth;
  }
};

// One call of BranchAndPrice.
class Tree {
 public:
  Tree(const PackingTables& tables, PatternPool& pool,
       const ExactRequest& request)
      : tables_(tables), pool_(pool), request_(request) {
    result_.best = request.start;
    result_.score = ScoreOf(tables, request.start);
  }

  Result<ExactResult> Run() {
    pool_.AddAll(request_.start);
    open_.push(WholeProblem(tables_));
    while (!open_.empty() && open_.top().bound > Enough() &&
           !request_.limits.Over()) {
      Branch branch = open_.top();
      open_.pop();
      current_ = branch.bound;
      RETURN_IF_ERROR(Process(std::move(branch)));
      ++result_.branches;
      current_ = -kInfiniteBound;
      Report();
    }
    result_.bound = Bound();
    result_.complete = result_.bound <= Enough();
    return result_;
  }

 private:
  // Bounds up to this need no further proof.
  double Enough() const {
    double scale = std::max(std::abs(result_.score), 1e-9);
    return result_.score + std::max(request_.gap, 2e-7) * scale;
  }

  double Bound() const {
    double bound = std::max(result_.score, pruned_);
    if (!open_.empty()) bound = std::max(bound, open_.top().bound);
    return std::max(bound, current_);
  }

  void Report() const {
    if (request_.on_progress) request_.on_progress(result_.score, Bound());
  }

  void Offer(Patterns patterns) {
    patterns = TrimPatterns(tables_, std::move(patterns));
    double score = ScoreOf(tables_, patterns);
    if (score <= result_.score) return;
    for (const Pattern& pattern : patterns) {
      if (!tables_.OracleAllows(pattern)) return;
    }
    result_.score = score;
    result_.best = std::move(patterns);
  }

  Status Process(Branch branch) {
    bool root = result_.branches == 0;
    bool direct = root && request_.direct && ProvableDirectly(tables_);
    ASSIGN_OR_RETURN(GenerationResult generated,
                     Generate(branch, root ? kRootTail : kTail));
    if (Closed(branch, generated)) return {};
    if (direct) {
      RETURN_IF_ERROR(ProveRoot(branch));
      if (Closed(branch, generated)) return {};
    }
    if (root && CanDive(tables_)) {
      RETURN_IF_ERROR(DiveForPlans(generated.optimum->prices));
      if (Closed(branch, generated)) return {};
    }
    if (root || result_.branches % kRecombineEvery == 0) {
      RETURN_IF_ERROR(Recombine(generated, root));
    }
    std::vector<Branch> parts = Parts(branch, generated);
    if (parts.empty() && !generated.converged) {
      // Whole numbers too early: the optimum over all patterns may differ.
      ASSIGN_OR_RETURN(generated, Generate(branch, 0));
      if (Closed(branch, generated)) return {};
      parts = Parts(branch, generated);
    }
    for (Branch& part : parts) open_.push(part);
    if (!parts.empty()) return {};
    Offer(WholePatterns(*generated.optimum));
    // Nothing is left to decide. The bound is the score, unless pricing or the
    // oracle spoilt that.
    pruned_ = std::max(pruned_, branch.bound);
    return {};
  }

  // Lets Cbc prove the whole problem, with the prices of its first bounds.
  Status ProveRoot(Branch& branch) {
    DirectRequest direct{.start = result_.best,
                         .bounds = std::move(visited_),
                         .limits = request_.limits.Share(kDirectShare)};
    direct.on_bound = [&](double bound) {
      current_ = std::min(branch.bound, bound);
      Report();
    };
    ASSIGN_OR_RETURN(DirectProof proof, ProveDirectly(tables_, direct));
    Offer(std::move(proof.best));
    branch.bound = std::min(branch.bound, proof.bound);
    return {};
  }

  Result<GenerationResult> Generate(Branch& branch, double tail) {
    GenerationRequest generation{
        .limits = request_.limits,
        .enough = Enough(),
        .tail = tail,
        .most_boxes = tail > 0 ? kFewBoxes : kManyBoxes,
        .threads = request_.threads,
        .start = &result_.best,
        .cones = &cones_};
    if (result_.branches == 0) {
      generation.visited = &visited_;
      generation.on_round = [this](double bound) {
        current_ = bound;
        Report();
      };
    }
    ASSIGN_OR_RETURN(GenerationResult generated,
                     GenerateColumns(tables_, branch, pool_, generation));
    result_.pricings += generated.pricings;
    result_.steps += generated.steps;
    branch.bound = std::min(branch.bound, generated.bound);
    branch.prices = std::make_shared<const MasterPrices>(generated.prices);
    return generated;
  }

  // Whether nothing is left to do, or no time for it.
  bool Closed(const Branch& branch, const GenerationResult& generated) {
    if (branch.bound <= Enough()) {
      pruned_ = std::max(pruned_, branch.bound);
      return true;
    }
    if (!generated.optimum || request_.limits.Over()) {
      open_.push(branch);
      return true;
    }
    return false;
  }

  // Branches that exclude the optimum; empty if it is a solution.
  std::vector<Branch> Parts(const Branch& branch,
                            const GenerationResult& generated) const {
    Branch fixed = branch;
    FixByPrices(tables_, generated, result_.score, fixed);
    for (size_t i = 0; i < tables_.size(); ++i) {
      if (fixed.items[i] == branch.items[i]) continue;
      double wanted = fixed.items[i] == Fixing::kIn ? 1 : 0;
      // The optimum is excluded already.
      if (std::abs(generated.optimum->placed[i] - wanted) > 1e-6) {
        return {std::move(fixed)};
      }
    }
    return SplitBranch(tables_, fixed, pool_, *generated.optimum);
  }

  // Makes plans from the linear program, and improves each by search. Dives
  // use little of a second processor, so several go on at the same time.
  Status DiveForPlans(const MasterPrices& prices) {
    SearchLimits limits = request_.limits.Share(kDivesShare);
    std::vector<double> keys = KeysOf(tables_, prices.items);
    size_t done = 0;
    while (done < request_.dives && !limits.Over()) {
      size_t left = request_.dives - done;
      size_t count = std::clamp<size_t>(request_.threads, 1, left);
      SearchLimits now =
          limits.Share(static_cast<double>(count) / static_cast<double>(left));
      std::vector<PatternPool> pools(count, BestPatterns(prices));
      std::vector<Result<Patterns>> plans(count, Patterns{});
      ParallelFor(count, count, [&](size_t k) {
        plans[k] = DiveOnce(done + k, prices, keys, now, pools[k]);
      });
      for (size_t k = 0; k < count; ++k) {
        if (!plans[k].ok()) return plans[k].error();
        Offer(*std::move(plans[k]));
        for (size_t p = 0; p < pools[k].size(); ++p) pool_.Add(pools[k][p]);
      }
      Report();
      done += count;
    }
    return {};
  }

  PatternPool BestPatterns(const MasterPrices& prices) {
    PatternPool best(tables_);
    for (size_t p : ChoosePatterns(
             pool_, {.prices = &prices, .most = kMostDivePatterns})) {
      best.Add(pool_[p]);
    }
    return best;
  }

  Result<Patterns> DiveOnce(size_t number, const MasterPrices& prices,
                            const std::vector<double>& keys,
                            const SearchLimits& limits,
                            PatternPool& pool) const {
    // The first dive takes the best pattern each time, the others draw.
    uint64_t seed =
        number == 0 ? 0 : DeriveSeed(request_.seed + number, "dive");
    ASSIGN_OR_RETURN(Patterns dived, Dive(tables_, pool,
                                          {.limits = limits.Share(kDiveShare),
                                           .prices = &prices,
                                           .seed = seed}));
    return RuinAndRecreate(tables_, pool,
                           {.start = std::move(dived),
                            .keys = keys,
                            .moves = kDiveMoves,
                            .seed = request_.seed + number,
                            .limits = limits})
        .best;
  }

  Patterns WholePatterns(const MasterOptimum& optimum) const {
    Patterns patterns;
    for (const PatternShare& share : optimum.shares) {
      for (double n = 0.5; n < share.value; ++n) {
        patterns.push_back(pool_[share.pattern]);
      }
    }
    return patterns;
  }

  Status Recombine(const GenerationResult& generated, bool root) {
    Seconds left = request_.limits.Left();
    RecombineRequest combine{
        .prices = &generated.optimum->prices,
        .most_patterns = root ? size_t{3000} : size_t{800},
        .start = result_.best,
        .limits = {.time = Seconds(left * 0.15),
                   .nodes = static_cast<int>(request_.cbc_nodes),
                   .stop = request_.limits.stop}};
    ASSIGN_OR_RETURN(Patterns patterns,
                     RecombinePatterns(tables_, pool_, combine));
    Offer(std::move(patterns));
    return {};
  }

  const PackingTables& tables_;
  PatternPool& pool_;
  const ExactRequest& request_;
  std::priority_queue<Branch, std::vector<Branch>, LowerBound> open_;
  double current_ = -kInfiniteBound;  // bound of the branch in work
  double pruned_ = -kInfiniteBound;   // highest bound of the branches closed
  std::vector<std::vector<PressureCone>> cones_;
  std::vector<PricedBound> visited_;  // by the whole problem
  ExactResult result_;
};

}  // namespace

Result<ExactResult> BranchAndPrice(const PackingTables& tables,
                                   PatternPool& pool,
                                   const ExactRequest& request) {
  return Tree(tables, pool, request).Run();
}

}  // namespace mete
