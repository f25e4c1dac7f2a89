#include "optimize/packed_bins.h"

#include <algorithm>
#include <utility>

namespace mete {

PackedBins::PackedBins(const PackingTables& tables)
    : tables_(&tables), placed_(tables.size()) {
  for (size_t c = 0; c < tables.classes().size(); ++c) {
    for (size_t n = 0; n < tables.classes()[c].count(); ++n) {
      bins_.emplace_back(tables, c);
    }
  }
}

PackedBins::PackedBins(const PackingTables& tables, const Patterns& patterns)
    : PackedBins(tables) {
  std::vector<size_t> next;  // free bin of each class
  size_t first = 0;
  for (const BinClass& bins : tables.classes()) {
    next.push_back(first);
    first += bins.count();
  }
  for (const Pattern& pattern : patterns) {
    BinState& bin = bins_[next[pattern.bin_class]++];
    for (const Units& units : pattern.contents) {
      bin.Add(units);
      placed_[units.item] = true;
    }
  }
}

bool PackedBins::TryPlace(size_t item, std::span<const size_t> order) {
  int left = tables_->item(item).units;
  double gain = tables_->item(item).score;
  std::vector<std::pair<size_t, int>> added;
  for (size_t b : order) {
    int units = bins_[b].MostThatFit({item, left});
    if (units == 0) continue;
    gain -= bins_[b].ExtraCost({item, units});
    bins_[b].Add({item, units});
    added.push_back({b, units});
    left -= units;
    if (left == 0) break;
  }
  if (left == 0 && gain > 0) {
    placed_[item] = true;
    return true;
  }
  for (auto [b, units] : added) bins_[b].Remove({item, units});
  return false;
}

void PackedBins::Withdraw(size_t item) {
  for (BinState& bin : bins_) {
    int units = bin.CountOf(item);
    if (units > 0) bin.Remove({item, units});
  }
  placed_[item] = false;
}

Patterns PackedBins::ToPatterns() const {
  Patterns patterns;
  for (const BinState& bin : bins_) {
    if (!bin.empty()) patterns.push_back(bin.ToPattern());
  }
  return patterns;
}

double ScoreOf(const PackingTables& tables, const Patterns& patterns) {
  std::vector<int> units(tables.size());
  double score = 0;
  for (const Pattern& pattern : patterns) {
    score -= tables.CostOf(pattern);
    for (const Units& u : pattern.contents) units[u.item] += u.count;
  }
  for (size_t i = 0; i < units.size(); ++i) {
    if (units[i] == tables.item(i).units) score += tables.item(i).score;
  }
  return score;
}

}  // namespace mete
