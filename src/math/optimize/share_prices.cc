#include "optimize/share_prices.h"

#include <algorithm>
#include <cmath>

#include "optimize/greedy_packing.h"

namespace mete {
namespace {

constexpr size_t kMostClasses = 8;
constexpr int kPasses = 6;
constexpr int kHalvings = 30;

// The bound as a function of the prices of the bins, which is convex.
class ShareBound {
 public:
  explicit ShareBound(const PackingTables& tables) : tables_(tables) {
    for (size_t c = 0; c < tables.classes().size(); ++c) {
      shares_.push_back(SharesOfUnits(tables, c));
    }
  }

  // What one unit pays.
  double PriceOf(size_t item, const std::vector<double>& bins) const {
    const TableItem& packed = tables_.item(item);
    double price = std::max(0.0, packed.score) / packed.units;
    for (size_t c = 0; c < bins.size(); ++c) {
      if (tables_.table(c).most[item] == 0) continue;
      double pays =
          (bins[c] + tables_.classes()[c].open_cost) * shares_[c][item] +
          tables_.table(c).cost[item];
      price = std::min(price, pays);
    }
    return price;
  }

  double operator()(const std::vector<double>& bins) const {
    double bound = 0;
    for (size_t c = 0; c < bins.size(); ++c) {
      bound += bins[c] * static_cast<double>(tables_.classes()[c].count());
    }
    for (size_t i = 0; i < tables_.size(); ++i) {
      const TableItem& item = tables_.item(i);
      bound += std::max(0.0, item.score - item.units * PriceOf(i, bins));
    }
    return bound;
  }

 private:
  const PackingTables& tables_;
  std::vector<std::vector<double>> shares_;  // by class
};

// Ternary search along one coordinate.
void MinimizeAlong(const ShareBound& bound, size_t c, double most,
                   std::vector<double>& bins) {
  double low = 0;
  double high = most;
  for (int step = 0; step < kHalvings; ++step) {
    double third = (high - low) / 3;
    bins[c] = low + third;
    double left = bound(bins);
    bins[c] = high - third;
    double right = bound(bins);
    (left <= right ? high : low) = left <= right ? high - third : low + third;
  }
  bins[c] = (low + high) / 2;
}

}  // namespace

MasterPrices SharePrices(const PackingTables& tables) {
  size_t classes = tables.classes().size();
  if (classes == 0 || classes > kMostClasses) return {};
  ShareBound bound(tables);
  double total = 0;
  for (size_t i = 0; i < tables.size(); ++i) {
    total += std::max(0.0, tables.item(i).score);
  }
  MasterPrices prices;
  prices.classes.assign(classes, total / static_cast<double>(tables.bins()));
  for (int pass = 0; pass < kPasses; ++pass) {
    for (size_t c = 0; c < classes; ++c) {
      double count = static_cast<double>(tables.classes()[c].count());
      MinimizeAlong(bound, c, total / count, prices.classes);
    }
  }
  for (size_t i = 0; i < tables.size(); ++i) {
    prices.items.push_back(bound.PriceOf(i, prices.classes));
  }
  return prices;
}

}  // namespace mete
