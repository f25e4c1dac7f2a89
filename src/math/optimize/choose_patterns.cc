#include "optimize/choose_patterns.h"

#include <algorithm>
#include <numeric>

namespace mete {
namespace {

// Profit of a pattern less the price of its bin: how far it is from being used
// by the linear program.
double ReducedProfit(const PatternPool& pool, size_t p,
                     const MasterPrices& prices) {
  double profit = -pool.cost(p) - prices.classes[pool[p].bin_class];
  for (const Units& units : pool[p].contents) {
    profit += units.count * prices.items[units.item];
  }
  return profit;
}

}  // namespace

std::vector<size_t> ChoosePatterns(PatternPool& pool,
                                   const PatternChoice& choice) {
  std::vector<size_t> always;
  if (choice.always != nullptr) {
    for (const Pattern& pattern : *choice.always) {
      if (!pattern.contents.empty()) always.push_back(pool.Add(pattern));
    }
  }
  std::vector<size_t> chosen(pool.size());
  std::iota(chosen.begin(), chosen.end(), size_t{0});
  if (chosen.size() <= choice.most) return chosen;
  if (choice.prices == nullptr) {
    chosen.erase(chosen.begin(), chosen.end() - static_cast<long>(choice.most));
  } else {
    std::vector<double> profit(pool.size());
    for (size_t p : chosen) profit[p] = ReducedProfit(pool, p, *choice.prices);
    auto end = chosen.begin() + static_cast<long>(choice.most);
    std::ranges::nth_element(chosen, end, [&](size_t a, size_t b) {
      return profit[a] != profit[b] ? profit[a] > profit[b] : a < b;
    });
    chosen.erase(end, chosen.end());
  }
  chosen.insert(chosen.end(), always.begin(), always.end());
  std::ranges::sort(chosen);
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

}  // namespace mete
