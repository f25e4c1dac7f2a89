#include "optimize/column_generation.h"

#include <algorithm>
#include <cmath>

#include "optimize/choose_patterns.h"
#include "optimize/fluid_prices.h"
#include "optimize/parallel_for.h"
#include "optimize/price_pattern.h"
#include "optimize/share_prices.h"
#include "optimize/trivial_bound.h"

namespace mete {
namespace {

constexpr double kLeastProfit = 1e-7;
// Patterns that a master starts with at least, if so many are known.
constexpr size_t kLeastKnown = 200;
// Violating a branch costs the highest score of an item per unit at first: high
// prices would make the bound depend on the last digit of every pricing. The
// penalty grows while the optimum of a branch violates it.
constexpr double kPenaltyGrowth = 4;
constexpr double kMostPenalty = 1000;
// How often the prices of liquids are found again for a large problem.
constexpr int kCorrections = 1;
// Cones of the first pricings of a large problem at least.
constexpr size_t kLeastBoxes = 8;
// Share of what is left to prove that inexact pricing may cost.
constexpr double kTolerance = 0.05;
// Least profit of interest as a share of the price of a bin.
constexpr double kLooseLeast = 0.9;

// How much a pricing may cost. Grows when cheap pricings find nothing new.
struct PricingEffort {
  size_t boxes = 64;
  size_t steps = 20000;
  bool Grow(size_t most_boxes) {
    if (boxes >= most_boxes) return false;
    boxes *= 4;
    steps *= 4;
    return true;
  }
};

MasterPrices Blend(const MasterPrices& a, const MasterPrices& b, double share) {
  auto blend = [&](const std::vector<double>& x, const std::vector<double>& y) {
    std::vector<double> z(x.size());
    for (size_t i = 0; i < x.size(); ++i) {
      z[i] = share * x[i] + (1 - share) * y[i];
    }
    return z;
  };
  return {blend(a.items, b.items), blend(a.classes, b.classes),
          blend(a.rows, b.rows)};
}

// One call of GenerateColumns.
class Generation {
 public:
  Generation(const PackingTables& tables, const Branch& branch,
             PatternPool& pool, const GenerationRequest& request)
      : tables_(tables), branch_(branch), pool_(pool), request_(request) {
    result_.bound = branch.bound;
    cones_ = request.cones != nullptr ? request.cones : &own_cones_;
    cones_->resize(tables.classes().size());
    for (size_t i = 0; i < tables.size(); ++i) {
      most_score_ = std::max(most_score_, tables.item(i).score);
    }
    penalty_ = most_score_;
    if (branch.prices == nullptr) return;
    // Rows that the parent did not have are free at first.
    result_.prices = *branch.prices;
    result_.prices.rows.resize(branch.rows.size(), 0);
    result_.bound_at_prices = kInfiniteBound;
    have_best_ = true;
  }

  Result<GenerationResult> Run() {
    PricingEffort effort;
    // A cone costs as much time as there are items.
    if (Large()) {
      effort.boxes =
          std::max(kLeastBoxes, effort.boxes * kLargeItems / tables_.size());
    }
    // A large master takes so long that there may be no time for its prices.
    auto add = [this](const std::vector<PricedPattern>& patterns) {
      for (const PricedPattern& priced : patterns) pool_.Add(priced.pattern);
      return patterns.size();
    };
    if (Large()) PriceFirst(effort, add);
    ASSIGN_OR_RETURN(PatternMaster master,
                     PatternMaster::Create(tables_, branch_, pool_, penalty_));
    IncludeKnown(master);
    while (result_.rounds < request_.most_rounds && !request_.limits.Over()) {
      auto solved = master.Solve(request_.limits.Left());
      if (!solved.ok()) {
        if (solved.error().code() == ErrorCode::kTimeout) break;
        return solved.error();
      }
      result_.optimum = *std::move(solved);
      bool more = false;
      if (result_.rounds == 0 && !Large()) {
        auto keep = [&](const std::vector<PricedPattern>& patterns) {
          return Keep(master, patterns);
        };
        more = PriceFirst(effort, keep) > 0;
      }
      if (!more && !Round(master, effort)) {
        if (!WorthMorePenalty()) break;
        penalty_ *= kPenaltyGrowth;
        ASSIGN_OR_RETURN(
            master, PatternMaster::Create(tables_, branch_, pool_, penalty_));
        IncludeKnown(master);
        effort = {};
        continue;
      }
      master.Update();
      ++result_.rounds;
      if (request_.on_round) request_.on_round(result_.bound);
    }
    return result_;
  }

 private:
  bool Large() const { return IsLarge(tables_); }

  // The most promising patterns; pricing finds others again.
  void IncludeKnown(PatternMaster& master) {
    size_t rows = tables_.size() + tables_.classes().size();
    std::vector<size_t> chosen =
        ChoosePatterns(pool_, {.prices = branch_.prices.get(),
                               .most = std::max(kLeastKnown, 4 * rows),
                               .always = request_.start});
    for (size_t p : chosen) master.Include(p);
    master.Update();
  }

  // Whether the optimum violates the branch only because that is cheap.
  bool WorthMorePenalty() const {
    return !result_.optimum->feasible && result_.bound > request_.enough &&
           penalty_ < kMostPenalty * most_score_ && !request_.limits.Over();
  }

  // The first prices of the master are far from the best ones. Branches start
  // from what their parents found. Returns the number of patterns kept.
  template <typename Keep>
  size_t PriceFirst(const PricingEffort& effort, Keep keep) {
    if (branch_.depth > 0) return 0;
    // Rougher prices leave more rounds to small problems, and Cbc proves them
    // faster with the prices of all these rounds.
    if (Large()) return PriceFluid(effort, keep);
    return PriceAt(SharePrices(tables_), effort, keep);
  }

  template <typename Keep>
  size_t PriceAt(MasterPrices prices, const PricingEffort& effort, Keep keep) {
    if (prices.items.empty() || request_.limits.Over()) return 0;
    prices.rows.assign(branch_.rows.size(), 0);
    size_t kept = Price(prices, effort, kLooseLeast, keep);
    if (request_.on_round) request_.on_round(result_.bound);
    return kept;
  }

  template <typename Keep>
  size_t PriceFluid(const PricingEffort& effort, Keep keep) {
    size_t kept = 0;
    std::vector<double> bins = BinsOfClasses(tables_);
    for (int k = 0; k <= kCorrections; ++k) {
      MasterPrices prices = FindFluidPrices(tables_, bins).prices;
      if (prices.items.empty()) break;
      expected_ = PartOfItems(prices);
      for (size_t c = 0; c < bins.size(); ++c) {
        expected_ += prices.classes[c] * bins[c];
      }
      kept += PriceAt(prices, effort, keep);
      if (last_bounds_.empty()) break;
      // A bin holds more than its liquids if the pressures in it do not stand
      // in the usual proportion. That is as if there were more bins.
      for (size_t c = 0; c < bins.size(); ++c) {
        if (prices.classes[c] <= 0) continue;
        bins[c] = static_cast<double>(tables_.classes()[c].count()) *
                  last_bounds_[c] / prices.classes[c];
      }
    }
    expected_ = kInfiniteBound;
    return kept;
  }

  // Prices until there are new columns. Returns false at the end.
  bool Round(PatternMaster& master, PricingEffort& effort) {
    const MasterOptimum& optimum = *result_.optimum;
    double share = have_best_ ? kSmoothing : 0;
    while (!request_.limits.Over()) {
      MasterPrices prices = optimum.prices;
      if (share > 0) prices = Blend(result_.prices, optimum.prices, share);
      // No contents are worth more than their bin at the master's prices in the
      // end, so less is of no interest. Other prices may be better than that.
      auto keep = [&](const std::vector<PricedPattern>& patterns) {
        return Keep(master, patterns);
      };
      size_t found =
          Price(prices, effort, share > 0 ? kLooseLeast : 1 - 1e-9, keep);
      if (result_.bound <= request_.enough) return false;
      if (TailsOff()) return false;
      double gap = result_.bound - optimum.objective;
      if (gap <= 1e-7 * std::max(1.0, std::abs(optimum.objective))) {
        result_.converged = optimum.feasible;
        if (found == 0) return false;
      }
      if (found > 0) return true;
      // Smoothed prices may miss: come closer to the master's own prices.
      if (share > 0) {
        share = share > 0.3 ? share - 0.3 : 0;
      } else if (!effort.Grow(request_.most_boxes)) {
        result_.converged = optimum.feasible;
        return false;
      }
    }
    return false;
  }

  // Whether the rest of the way to convergence is short compared with what is
  // to be proven, so that branching is worth more.
  bool TailsOff() const {
    const MasterOptimum& optimum = *result_.optimum;
    double left = result_.bound - optimum.objective;
    return optimum.feasible &&
           left < request_.tail * (result_.bound - request_.enough);
  }

  // Wentges (1997): prices between those of the best bound and the master's.
  static constexpr double kSmoothing = 0.7;

  // Prices all classes at `prices`, improves the bound, and returns how many
  // patterns `keep` kept.
  template <typename Keep>
  size_t Price(const MasterPrices& prices, const PricingEffort& effort,
               double least, Keep keep) {
    size_t classes = tables_.classes().size();
    std::vector<PricingResult> results(classes);
    ParallelFor(request_.threads, classes, [&](size_t c) {
      results[c] = PriceClass(prices, effort, c, least);
    });
    double bound = PartOfItems(prices) + PartOfRows(prices);
    size_t found = 0;
    for (size_t c = 0; c < classes; ++c) {
      double count = static_cast<double>(tables_.classes()[c].count());
      bound += count * std::max(0.0, results[c].bound);
      found += keep(results[c].best) + keep(results[c].spread);
      ++result_.pricings;
      result_.steps += results[c].steps;
    }
    MasterPrices proven = prices;
    for (size_t c = 0; c < classes; ++c) {
      proven.classes[c] = std::max(0.0, results[c].bound);
    }
    last_bounds_ = proven.classes;
    if (request_.visited != nullptr) {
      request_.visited->emplace_back(bound, proven);
    }
    if (!have_best_ || bound < result_.bound_at_prices) {
      result_.bound_at_prices = bound;
      have_best_ = true;
      result_.prices = std::move(proven);
    }
    result_.bound = std::min(result_.bound, bound);
    return found;
  }

  double PartOfItems(const MasterPrices& prices) const {
    double sum = 0;
    for (size_t i = 0; i < tables_.size(); ++i) {
      double gain =
          tables_.item(i).score - tables_.item(i).units * prices.items[i];
      if (branch_.items[i] == Fixing::kOut) continue;
      sum += branch_.items[i] == Fixing::kIn ? gain : std::max(0.0, gain);
    }
    return sum;
  }

  double PartOfRows(const MasterPrices& prices) const {
    double sum = 0;
    for (size_t b = 0; b < branch_.rows.size(); ++b) {
      sum +=
          SignedPrice(prices, b) *
          (prices.rows[b] > 0 ? branch_.rows[b].upper : branch_.rows[b].lower);
    }
    return sum;
  }

  // A row without one of its sides cannot have a price of that sign.
  double SignedPrice(const MasterPrices& prices, size_t b) const {
    double price = prices.rows[b];
    if (price > 0 && branch_.rows[b].upper >= kInfiniteBound) return 0;
    if (price < 0 && branch_.rows[b].lower <= 0) return 0;
    return price;
  }

  std::vector<double> UnitPrices(const MasterPrices& prices, size_t c) const {
    std::vector<double> units = prices.items;
    for (size_t i = 0; i < units.size(); ++i) {
      if (branch_.items[i] == Fixing::kOut) units[i] = -kInfiniteBound;
    }
    for (size_t b = 0; b < branch_.rows.size(); ++b) {
      const BranchRow& row = branch_.rows[b];
      if (row.bin_class != c || row.counted != BranchCount::kUnits) continue;
      units[row.at_least[0].item] -= SignedPrice(prices, b);
    }
    return units;
  }

  std::vector<Feature> FeaturesOf(const MasterPrices& prices, size_t c) const {
    std::vector<Feature> features;
    for (size_t b = 0; b < branch_.rows.size(); ++b) {
      const BranchRow& row = branch_.rows[b];
      if (row.bin_class != c || row.counted != BranchCount::kBins) continue;
      double bonus = -SignedPrice(prices, b);
      if (bonus != 0) {
        features.push_back({.at_least = row.at_least, .bonus = bonus});
      }
    }
    return features;
  }

  // How far from its optimum a pricing may stay, so that all bins together
  // spoil little of what is to be proven.
  double Tolerance() const {
    double bound = std::min(result_.bound, expected_);
    double left = std::max(0.0, bound - request_.enough);
    return tolerance_ * left / static_cast<double>(tables_.bins());
  }

  // Called from several threads, for different classes.
  PricingResult PriceClass(const MasterPrices& prices,
                           const PricingEffort& effort, size_t c,
                           double least) {
    std::vector<double> units = UnitPrices(prices, c);
    std::vector<Feature> features = FeaturesOf(prices, c);
    size_t others = tables_.classes()[c].count() - 1;
    return PricePatterns(tables_, {.bin_class = c,
                                   .prices = units,
                                   .features = features,
                                   .least = prices.classes[c] * least,
                                   .tolerance = Tolerance(),
                                   .most_boxes = effort.boxes,
                                   .most_steps = effort.steps,
                                   .limits = &request_.limits,
                                   .spread = std::min(request_.spread, others),
                                   .cones = &(*cones_)[c]});
  }

  // Adds the patterns that improve the master at its own prices.
  size_t Keep(PatternMaster& master,
              const std::vector<PricedPattern>& patterns) {
    const MasterPrices& own = result_.optimum->prices;
    size_t kept = 0;
    for (const PricedPattern& priced : patterns) {
      double profit = master.ProfitOf(priced.pattern, own);
      double limit = own.classes[priced.pattern.bin_class];
      if (profit <= limit + kLeastProfit * std::max(1.0, limit)) continue;
      if (master.Include(pool_.Add(priced.pattern))) ++kept;
    }
    return kept;
  }

  const PackingTables& tables_;
  const Branch& branch_;
  PatternPool& pool_;
  const GenerationRequest& request_;
  GenerationResult result_;
  std::vector<std::vector<PressureCone>> own_cones_;
  std::vector<std::vector<PressureCone>>* cones_ = nullptr;  // of each class
  bool have_best_ = false;
  double most_score_ = 1e-3;  // of an item
  double penalty_ = 1;
  double tolerance_ = kTolerance;
  double expected_ = kInfiniteBound;  // bound of the next pricing
  std::vector<double> last_bounds_;   // of the classes
};

}  // namespace

Branch WholeProblem(const PackingTables& tables) {
  return {.items = std::vector<Fixing>(tables.size(), Fixing::kFree),
          .bound = TrivialBound(tables)};
}

Result<GenerationResult> GenerateColumns(const PackingTables& tables,
                                         const Branch& branch,
                                         PatternPool& pool,
                                         const GenerationRequest& request) {
  return Generation(tables, branch, pool, request).Run();
}

void FixByPrices(const PackingTables& tables, const GenerationResult& result,
                 double score, Branch& branch) {
  if (result.prices.items.empty()) return;
  for (size_t i = 0; i < tables.size(); ++i) {
    if (branch.items[i] != Fixing::kFree) continue;
    double gain =
        tables.item(i).score - tables.item(i).units * result.prices.items[i];
    // Deciding against the prices lowers the bound by |gain|.
    if (result.bound_at_prices - std::abs(gain) >= score) continue;
    branch.items[i] = gain > 0 ? Fixing::kIn : Fixing::kOut;
  }
}

}  // namespace mete
