// All bins of a problem with their contents: what constructive searches change.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "optimize/bin_state.h"
#include "optimize/packing_tables.h"

namespace mete {

// A solution under construction: every item has all of its units, or none.
class PackedBins {
 public:
  // Empty bins. The tables outlive them.
  explicit PackedBins(const PackingTables& tables);
  // Bins that hold these patterns, of items that are complete.
  PackedBins(const PackingTables& tables, const Patterns& patterns);

  const PackingTables& tables() const { return *tables_; }
  size_t bins() const { return bins_.size(); }
  const BinState& bin(size_t b) const { return bins_[b]; }
  bool placed(size_t item) const { return placed_[item]; }

  // Puts the units of an item that is not placed into the bins, in their order
  // and as many into each as fit. Changes nothing and returns false if not all
  // fit, or if the costs are at least what the item scores.
  bool TryPlace(size_t item, std::span<const size_t> order);
  // Takes all units of an item out.
  void Withdraw(size_t item);

  Patterns ToPatterns() const;

 private:
  const PackingTables* tables_;
  std::vector<BinState> bins_;
  std::vector<bool> placed_;
};

// What the patterns score: complete items less costs. Units of items that are
// not complete count nothing.
double ScoreOf(const PackingTables& tables, const Patterns& patterns);

}  // namespace mete
