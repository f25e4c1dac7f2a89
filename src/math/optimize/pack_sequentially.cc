#include "optimize/pack_sequentially.h"

#include <algorithm>
#include <numeric>

#include "optimize/greedy_packing.h"
#include "optimize/price_pattern.h"
#include "optimize/trim_patterns.h"

namespace mete {
namespace {

// One entry per bin: its class, in the order of filling.
std::vector<size_t> BinsInOrder(const PackingTables& tables, BinOrder order) {
  std::vector<size_t> classes(tables.classes().size());
  std::iota(classes.begin(), classes.end(), size_t{0});
  std::ranges::stable_sort(classes, [&](size_t a, size_t b) {
    int left = tables.problem().types[tables.classes()[a].type].rank;
    int right = tables.problem().types[tables.classes()[b].type].rank;
    return order == BinOrder::kLowRankFirst ? left < right : left > right;
  });
  std::vector<size_t> bins;
  for (size_t c : classes) {
    bins.insert(bins.end(), tables.classes()[c].count(), c);
  }
  return bins;
}

// Candidates for one bin; a bin holds far fewer.
constexpr size_t kMostCandidates = 400;

// The units of the items that are the best candidates, 0 for the others.
std::vector<int> BestCandidates(const std::vector<int>& missing,
                                const std::vector<double>& prices,
                                const std::vector<double>& sizes) {
  std::vector<size_t> items;
  for (size_t i = 0; i < missing.size(); ++i) {
    if (missing[i] > 0) items.push_back(i);
  }
  if (items.size() <= kMostCandidates) return missing;
  auto middle = items.begin() + static_cast<long>(kMostCandidates);
  std::nth_element(items.begin(), middle, items.end(), [&](size_t a, size_t b) {
    double left = prices[a] * sizes[b];
    double right = prices[b] * sizes[a];
    return left != right ? left > right : a < b;
  });
  std::vector<int> units(missing.size());
  for (auto i = items.begin(); i != middle; ++i) units[*i] = missing[*i];
  return units;
}

}  // namespace

Patterns PackSequentially(const PackingTables& tables,
                          const SequentialRequest& request) {
  std::vector<int> missing(tables.size());
  for (size_t i = 0; i < tables.size(); ++i) missing[i] = tables.item(i).units;
  Patterns patterns;
  std::vector<double> prices(tables.size());
  std::vector<double> sizes = SizesOf(tables);
  for (size_t i = 0; i < sizes.size(); ++i) sizes[i] /= tables.item(i).units;
  bool exactly = request.filling == BinFilling::kExactly;
  for (size_t c : BinsInOrder(tables, request.order)) {
    if (request.limits.Over()) break;
    for (size_t i = 0; i < tables.size(); ++i) {
      prices[i] = missing[i] > 0 ? tables.item(i).score / missing[i] : 0;
    }
    std::vector<int> most = BestCandidates(missing, prices, sizes);
    PricingResult filled =
        PricePatterns(tables, {.bin_class = c,
                               .prices = prices,
                               .most_boxes = exactly ? size_t{200} : size_t{1},
                               .most_steps = exactly ? size_t{200000} : 0,
                               .most_patterns = 1,
                               .limits = &request.limits,
                               .most_units = most});
    if (filled.best.empty()) continue;
    patterns.push_back(filled.best[0].pattern);
    for (const Units& u : patterns.back().contents) missing[u.item] -= u.count;
  }
  return TrimPatterns(tables, std::move(patterns));
}

}  // namespace mete
