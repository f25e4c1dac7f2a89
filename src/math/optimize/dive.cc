#include "optimize/dive.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "optimize/branch_and_price.h"
#include "optimize/choose_patterns.h"
#include "optimize/column_generation.h"
#include "optimize/trim_patterns.h"
#include "support/random.h"

namespace mete {
namespace {

// So many bins at the end are packed exactly.
constexpr size_t kLastBins = 2;
constexpr double kLastGap = 1e-3;
constexpr double kLastShare = 0.4;  // of the time left
// Patterns of the whole problem that the rest starts from.
constexpr size_t kMostKnownPatterns = 2000;
// Column generation ends when this share of the score is left to it.
constexpr double kDiveTail = 0.001;
constexpr size_t kDiveBoxes = 1024;

// What is left of a problem after some bins were filled.
struct Rest {
  PackingProblem problem;
  std::vector<size_t> items;                   // of the whole problem
  std::vector<std::optional<size_t>> numbers;  // of its items in the rest
};

// One call of Dive.
class Diving {
 public:
  Diving(const PackingTables& tables, PatternPool& pool,
         const DiveRequest& request)
      : tables_(tables),
        pool_(pool),
        request_(request),
        random_(request.seed),
        prices_(*request.prices),
        placed_(tables.size()) {
    for (const BinClass& bins : tables.classes()) {
      left_.push_back(bins.count());
      bins_left_ += bins.count();
    }
  }

  Result<Patterns> Run() {
    while (bins_left_ > 0 && !request_.limits.Over()) {
      Rest rest = MakeRest();
      if (rest.items.empty()) break;
      PackingTables tables(rest.problem);
      PatternPool pool(tables);
      AddKnown(rest, tables, pool);
      RETURN_IF_ERROR(bins_left_ > kLastBins ? FillOne(rest, tables, pool)
                                             : FillLast(rest, tables, pool));
    }
    return TrimPatterns(tables_, std::move(taken_));
  }

 private:
  // An item that was placed in part keeps its whole score, which makes the rest
  // of it precious.
  Rest MakeRest() const {
    const PackingProblem& whole = tables_.problem();
    Rest rest{.problem = {.resources = whole.resources,
                          .pressures = whole.pressures,
                          .types = whole.types,
                          .items = {},
                          .goal = whole.goal,
                          .previous = {}},
              .items = {},
              .numbers = std::vector<std::optional<size_t>>(tables_.size())};
    for (BinType& type : rest.problem.types) type.count = 0;
    for (size_t c = 0; c < left_.size(); ++c) {
      rest.problem.types[tables_.classes()[c].type].count += left_[c];
    }
    for (size_t i = 0; i < tables_.size(); ++i) {
      int units = UnitsLeft(i);
      if (units == 0) continue;
      rest.numbers[i] = rest.items.size();
      rest.items.push_back(i);
      rest.problem.items.push_back(whole.items[i]);
      rest.problem.items.back().copies =
          units * tables_.item(i).copies_per_unit;
    }
    return rest;
  }

  int UnitsLeft(size_t item) const {
    return std::max(0, tables_.item(item).units - placed_[item]);
  }

  static std::optional<size_t> ClassOfType(const PackingTables& tables,
                                           size_t type) {
    for (size_t c = 0; c < tables.classes().size(); ++c) {
      if (tables.classes()[c].type == type) return c;
    }
    return std::nullopt;
  }

  // What is left of the best patterns that are known.
  void AddKnown(const Rest& rest, const PackingTables& tables,
                PatternPool& pool) {
    for (size_t p : ChoosePatterns(
             pool_, {.prices = &prices_, .most = kMostKnownPatterns})) {
      const Pattern& known = pool_[p];
      auto bin_class =
          ClassOfType(tables, tables_.classes()[known.bin_class].type);
      if (!bin_class) continue;
      Pattern pattern{.bin_class = *bin_class, .contents = {}};
      for (const Units& units : known.contents) {
        int count = std::min(units.count, UnitsLeft(units.item));
        if (count > 0)
          pattern.contents.push_back({*rest.numbers[units.item], count});
      }
      if (!pattern.contents.empty()) pool.Add(pattern);
    }
  }

  // Fills the bin with a pattern of the linear program.
  Status FillOne(const Rest& rest, const PackingTables& tables,
                 PatternPool& pool) {
    Branch branch = WholeProblem(tables);
    branch.depth = 1;
    branch.prices =
        std::make_shared<const MasterPrices>(PricesOf(rest, tables));
    double share = 1.0 / static_cast<double>(bins_left_);
    ASSIGN_OR_RETURN(GenerationResult generated,
                     GenerateColumns(tables, branch, pool,
                                     {.limits = request_.limits.Share(share),
                                      .tail = kDiveTail,
                                      .most_boxes = kDiveBoxes,
                                      .threads = request_.threads}));
    if (!generated.optimum || generated.optimum->shares.empty()) {
      bins_left_ = 0;
      return {};
    }
    for (size_t k = 0; k < rest.items.size(); ++k) {
      prices_.items[rest.items[k]] = generated.optimum->prices.items[k];
    }
    for (size_t c = 0; c < left_.size(); ++c) {
      auto same = ClassOfType(tables, tables_.classes()[c].type);
      if (same) prices_.classes[c] = generated.optimum->prices.classes[*same];
    }
    for (size_t p = 0; p < pool.size(); ++p) {
      auto pattern = InWhole(rest, tables, pool[p]);
      if (pattern) pool_.Add(*pattern);
    }
    size_t drawn = Draw(generated.optimum->shares).pattern;
    Take(*InWhole(rest, tables, pool[drawn]));
    return {};
  }

  Status FillLast(const Rest& rest, const PackingTables& tables,
                  PatternPool& pool) {
    ASSIGN_OR_RETURN(
        ExactResult exact,
        BranchAndPrice(tables, pool,
                       {.limits = request_.limits.Share(kLastShare),
                        .gap = kLastGap,
                        .threads = request_.threads,
                        .dives = 0}));
    for (const Pattern& pattern : exact.best) {
      Take(*InWhole(rest, tables, pattern));
    }
    bins_left_ = 0;
    return {};
  }

  MasterPrices PricesOf(const Rest& rest, const PackingTables& tables) const {
    MasterPrices prices;
    for (size_t i : rest.items) prices.items.push_back(prices_.items[i]);
    prices.classes.resize(tables.classes().size());
    for (size_t c = 0; c < left_.size(); ++c) {
      auto same = ClassOfType(tables, tables_.classes()[c].type);
      if (same) prices.classes[*same] = prices_.classes[c];
    }
    return prices;
  }

  // The pattern that is used most, or one of those that are used.
  const PatternShare& Draw(const std::vector<PatternShare>& shares) {
    double sum = 0;
    const PatternShare* most = &shares[0];
    for (const PatternShare& share : shares) {
      sum += share.value * share.value;
      if (share.value > most->value) most = &share;
    }
    if (request_.seed == 0) return *most;
    double left = sum * random_.Uniform();
    for (const PatternShare& share : shares) {
      left -= share.value * share.value;
      if (left <= 0) return share;
    }
    return *most;
  }

  // The same contents in the whole problem, in a class with a bin that is free.
  std::optional<Pattern> InWhole(const Rest& rest, const PackingTables& tables,
                                 const Pattern& pattern) const {
    size_t type = tables.classes()[pattern.bin_class].type;
    for (size_t c = 0; c < left_.size(); ++c) {
      if (left_[c] == 0 || tables_.classes()[c].type != type) continue;
      Pattern same{.bin_class = c, .contents = {}};
      for (const Units& units : pattern.contents) {
        same.contents.push_back({rest.items[units.item], units.count});
      }
      return same;
    }
    return std::nullopt;
  }

  void Take(const Pattern& pattern) {
    for (const Units& units : pattern.contents) {
      placed_[units.item] += units.count;
    }
    taken_.push_back(pattern);
    --left_[pattern.bin_class];
    --bins_left_;
  }

  const PackingTables& tables_;
  PatternPool& pool_;
  const DiveRequest& request_;
  Random random_;
  MasterPrices prices_;       // the latest of all items and classes
  std::vector<int> placed_;   // units of each item
  std::vector<size_t> left_;  // bins of each class
  size_t bins_left_ = 0;
  Patterns taken_;
};

}  // namespace

Result<Patterns> Dive(const PackingTables& tables, PatternPool& pool,
                      const DiveRequest& request) {
  return Diving(tables, pool, request).Run();
}

bool CanDive(const PackingTables& tables) {
  return tables.bins() > kLastBins && tables.problem().oracle == nullptr;
}

}  // namespace mete
