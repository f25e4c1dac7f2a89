#include "optimize/greedy_packing.h"

#include <algorithm>
#include <numeric>

#include "optimize/packed_bins.h"

namespace mete {
namespace {

// The share of its own tightest limit that one unit uses.
double ShareOfUnit(const LoadTable& table, size_t item) {
  double share = 0;
  for (size_t m = 0; m < table.loads; ++m) {
    double limit = std::min(table.capacity[m], table.LimitOf(item)[m]);
    double load = table.LoadOf(item)[m];
    if (load > 0 && limit > 0) share = std::max(share, load / limit);
  }
  return share;
}

}  // namespace

std::vector<double> SizesOf(const PackingTables& tables) {
  std::vector<double> sizes(tables.size(), kFitsNowhere);
  for (size_t c = 0; c < tables.classes().size(); ++c) {
    const LoadTable& table = tables.table(c);
    for (size_t i = 0; i < tables.size(); ++i) {
      if (table.most[i] == 0) continue;
      double size = tables.item(i).units * ShareOfUnit(table, i);
      // Not 0, so that scores can be divided by it.
      sizes[i] = std::min(sizes[i], std::max(size, 1e-12));
    }
  }
  return sizes;
}

std::vector<double> SharesOfUnits(const PackingTables& tables,
                                  size_t bin_class) {
  const LoadTable& table = tables.table(bin_class);
  std::vector<double> shares(tables.size(), kFitsNowhere);
  for (size_t i = 0; i < tables.size(); ++i) {
    if (table.most[i] > 0) shares[i] = ShareOfUnit(table, i);
  }
  return shares;
}

Patterns PackGreedily(const PackingTables& tables) {
  std::vector<double> sizes = SizesOf(tables);
  std::vector<size_t> items(tables.size());
  std::iota(items.begin(), items.end(), size_t{0});
  std::ranges::stable_sort(items, [&](size_t a, size_t b) {
    return tables.item(a).score * sizes[b] > tables.item(b).score * sizes[a];
  });
  PackedBins bins(tables);
  std::vector<size_t> order(bins.bins());
  std::iota(order.begin(), order.end(), size_t{0});
  for (size_t i : items) {
    if (sizes[i] < kFitsNowhere) bins.TryPlace(i, order);
  }
  return bins.ToPatterns();
}

}  // namespace mete
