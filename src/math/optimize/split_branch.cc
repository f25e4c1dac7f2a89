#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "optimize/branch_and_price.h"

namespace mete {
namespace {

constexpr double kFraction = 1e-5;

double FractionOf(double value) { return value - std::floor(value); }

bool Fractional(double value) {
  double fraction = FractionOf(value);
  return fraction > kFraction && fraction < 1 - kFraction;
}

// How far from a whole number, 0 to 0.5.
double Doubt(double value) {
  return std::min(FractionOf(value), 1 - FractionOf(value));
}

std::vector<Branch> SplitItem(const PackingTables& tables, const Branch& branch,
                              const MasterOptimum& optimum) {
  size_t chosen = tables.size();
  double most = 0;
  for (size_t i = 0; i < tables.size(); ++i) {
    if (branch.items[i] != Fixing::kFree || !Fractional(optimum.placed[i])) {
      continue;
    }
    double weight = tables.item(i).score * Doubt(optimum.placed[i]);
    if (weight > most) {
      most = weight;
      chosen = i;
    }
  }
  if (chosen == tables.size()) return {};
  Branch in = branch, out = branch;
  in.items[chosen] = Fixing::kIn;
  out.items[chosen] = Fixing::kOut;
  return {std::move(in), std::move(out)};
}

std::vector<Branch> SplitRow(const Branch& branch, BranchRow row,
                             double value) {
  Branch below = branch, above = branch;
  row.lower = 0;
  row.upper = std::floor(value);
  below.rows.push_back(row);
  row.lower = std::ceil(value);
  row.upper = kInfiniteBound;
  above.rows.push_back(row);
  return {std::move(above), std::move(below)};
}

std::vector<Branch> SplitUnits(const Branch& branch, const PatternPool& pool,
                               const MasterOptimum& optimum) {
  std::map<std::pair<size_t, size_t>, double> units;  // by class and item
  for (const PatternShare& share : optimum.shares) {
    const Pattern& pattern = pool[share.pattern];
    for (const Units& u : pattern.contents) {
      units[{pattern.bin_class, u.item}] += share.value * u.count;
    }
  }
  double most = kFraction;
  std::pair<size_t, size_t> chosen;
  double value = 0;
  for (const auto& [place, count] : units) {
    if (Doubt(count) <= most) continue;
    most = Doubt(count);
    chosen = place;
    value = count;
  }
  if (most == kFraction) return {};
  return SplitRow(branch,
                  {.counted = BranchCount::kUnits,
                   .bin_class = chosen.first,
                   .at_least = {{chosen.second, 1}}},
                  value);
}

double BinsWith(const std::vector<Units>& at_least, size_t bin_class,
                const PatternPool& pool, const MasterOptimum& optimum) {
  Feature feature{.at_least = at_least};
  double bins = 0;
  for (const PatternShare& share : optimum.shares) {
    const Pattern& pattern = pool[share.pattern];
    if (pattern.bin_class != bin_class) continue;
    if (feature.MetBy(pattern.contents)) bins += share.value;
  }
  return bins;
}

// A fractional pattern that no other pattern contains is a property of a
// fractional number of bins; parts of it are left out while that stays so.
std::vector<Branch> SplitBins(const Branch& branch, const PatternPool& pool,
                              const MasterOptimum& optimum) {
  const Pattern* chosen = nullptr;
  for (const PatternShare& share : optimum.shares) {
    if (!Fractional(share.value)) continue;
    const Pattern& pattern = pool[share.pattern];
    double bins = BinsWith(pattern.contents, pattern.bin_class, pool, optimum);
    if (!Fractional(bins)) continue;
    chosen = &pattern;
    break;
  }
  if (chosen == nullptr) return {};
  std::vector<Units> wanted = chosen->contents;
  for (size_t j = wanted.size(); j-- > 0 && wanted.size() > 1;) {
    std::vector<Units> fewer = wanted;
    fewer.erase(fewer.begin() + static_cast<long>(j));
    if (Fractional(BinsWith(fewer, chosen->bin_class, pool, optimum))) {
      wanted = std::move(fewer);
    }
  }
  double bins = BinsWith(wanted, chosen->bin_class, pool, optimum);
  return SplitRow(branch,
                  {.counted = BranchCount::kBins,
                   .bin_class = chosen->bin_class,
                   .at_least = wanted},
                  bins);
}

}  // namespace

std::vector<Branch> SplitBranch(const PackingTables& tables,
                                const Branch& branch, const PatternPool& pool,
                                const MasterOptimum& optimum) {
  std::vector<Branch> parts = SplitItem(tables, branch, optimum);
  if (parts.empty()) parts = SplitUnits(branch, pool, optimum);
  if (parts.empty()) parts = SplitBins(branch, pool, optimum);
  for (Branch& part : parts) ++part.depth;
  return parts;
}

}  // namespace mete
