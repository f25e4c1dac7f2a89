#include "optimize/pack_by_prices.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "optimize/packed_bins.h"
#include "optimize/parallel_for.h"
#include "optimize/price_pattern.h"
#include "optimize/trim_patterns.h"

namespace mete {
namespace {

// Costs count as at least this share of an item's score.
constexpr double kLeastCost = 1e-6;
// Items that a bin chooses from: those with the highest keys.
constexpr size_t kMostPricedCandidates = 1000;
// How much items that score more than they cost are preferred, one value for
// each try, and items that have units in other bins.
constexpr std::array<double, 2> kPreferKey = {0.3, 1};
constexpr double kHighKey = 3;
constexpr double kPreferStarted = 0.1;

double KeyOf(double score, double cost) {
  return score / std::max(kLeastCost * std::abs(score), cost);
}

// One try.
class PricedPacking {
 public:
  PricedPacking(const PackingTables& tables, const std::vector<double>& costs,
                double prefer_key)
      : tables_(tables), costs_(costs), prefer_key_(prefer_key) {
    for (size_t i = 0; i < tables.size(); ++i) {
      missing_.push_back(tables.item(i).units);
    }
    for (const BinClass& bins : tables.classes()) {
      left_.push_back(bins.count());
    }
  }

  Patterns Run(const SearchLimits& limits) {
    for (size_t b = 0; b < tables_.bins() && !limits.Over(); ++b) {
      FillBin(NextClass(), limits);
    }
    return TrimPatterns(tables_, std::move(patterns_));
  }

 private:
  // The class with the largest share of its bins left.
  size_t NextClass() const {
    size_t next = 0;
    double most = -1;
    for (size_t c = 0; c < left_.size(); ++c) {
      double share = static_cast<double>(left_[c]) /
                     static_cast<double>(tables_.classes()[c].count());
      if (share > most) {
        most = share;
        next = c;
      }
    }
    return next;
  }

  // The units of the items that are the best candidates, 0 for the others.
  std::vector<int> Candidates(const std::vector<double>& keys) const {
    std::vector<size_t> items;
    for (size_t i = 0; i < keys.size(); ++i) {
      if (missing_[i] > 0) items.push_back(i);
    }
    if (items.size() > kMostPricedCandidates) {
      auto end = items.begin() + static_cast<long>(kMostPricedCandidates);
      std::nth_element(items.begin(), end, items.end(),
                       [&](size_t a, size_t b) {
                         return keys[a] != keys[b] ? keys[a] > keys[b] : a < b;
                       });
      items.erase(end, items.end());
    }
    std::vector<int> units(keys.size());
    for (size_t i : items) units[i] = missing_[i];
    return units;
  }

  void FillBin(size_t c, const SearchLimits& limits) {
    std::vector<double> keys(tables_.size());
    std::vector<double> prices(tables_.size());
    for (size_t i = 0; i < keys.size(); ++i) {
      if (missing_[i] == 0) continue;
      double score = tables_.item(i).score;
      keys[i] = KeyOf(score, missing_[i] * costs_[i]);
      double prefer = prefer_key_ * (std::min(keys[i], kHighKey) - 1);
      if (missing_[i] < tables_.item(i).units) prefer += kPreferStarted;
      prices[i] = costs_[i] * (1 + prefer);
    }
    std::vector<int> most = Candidates(keys);
    --left_[c];
    PricingResult filled = PricePatterns(tables_, {.bin_class = c,
                                                   .prices = prices,
                                                   .most_boxes = 1,
                                                   .most_steps = 0,
                                                   .most_patterns = 1,
                                                   .limits = &limits,
                                                   .most_units = most});
    if (filled.best.empty()) return;
    patterns_.push_back(std::move(filled.best[0].pattern));
    for (const Units& u : patterns_.back().contents) {
      missing_[u.item] -= u.count;
    }
  }

  const PackingTables& tables_;
  const std::vector<double>& costs_;  // of a unit of each item
  double prefer_key_;
  std::vector<int> missing_;  // units of each item
  std::vector<size_t> left_;  // bins of each class
  Patterns patterns_;
};

// Adds items that are not placed, those with the highest keys first.
Patterns FillUp(const PackingTables& tables, const Patterns& patterns,
                const std::vector<double>& keys) {
  PackedBins bins(tables, patterns);
  std::vector<size_t> order(bins.bins());
  std::iota(order.begin(), order.end(), size_t{0});
  std::vector<size_t> items(tables.size());
  std::iota(items.begin(), items.end(), size_t{0});
  std::ranges::stable_sort(
      items, [&](size_t a, size_t b) { return keys[a] > keys[b]; });
  for (size_t i : items) {
    if (tables.FitsSomewhere(i) && !bins.placed(i)) bins.TryPlace(i, order);
  }
  return bins.ToPatterns();
}

}  // namespace

std::vector<double> KeysOf(const PackingTables& tables,
                           const std::vector<double>& costs) {
  std::vector<double> keys(tables.size());
  for (size_t i = 0; i < keys.size(); ++i) {
    const TableItem& item = tables.item(i);
    keys[i] = KeyOf(item.score, item.units * costs[i]);
  }
  return keys;
}

Patterns PackByPrices(const PackingTables& tables,
                      const PricedRequest& request) {
  std::vector<double> keys = KeysOf(tables, request.costs);
  std::array<Patterns, kPreferKey.size()> tries;
  ParallelFor(request.threads, tries.size(), [&](size_t k) {
    Patterns filled =
        PricedPacking(tables, request.costs, kPreferKey[k]).Run(request.limits);
    tries[k] = FillUp(tables, filled, keys);
  });
  return *std::ranges::max_element(
      tries, {}, [&](const Patterns& one) { return ScoreOf(tables, one); });
}

}  // namespace mete
