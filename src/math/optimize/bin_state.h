// The contents of one bin with its loads, updated as copies come and go.
#pragma once

#include <cstddef>
#include <vector>

#include "optimize/packing_tables.h"

namespace mete {

// A bin of a class during a search. Copied to remember and restore contents.
class BinState {
 public:
  // The tables outlive the state.
  BinState(const PackingTables& tables, size_t bin_class);

  size_t bin_class() const { return pattern_.bin_class; }
  const std::vector<Units>& contents() const { return pattern_.contents; }
  bool empty() const { return pattern_.contents.empty(); }
  // In the order of the items.
  Pattern ToPattern() const;
  int CountOf(size_t item) const;

  // Whether `units` more units fit.
  bool Fits(Units units) const;
  // The most units that fit, at most units.count.
  int MostThatFit(Units units) const;
  // Requires Fits.
  void Add(Units units);
  // Requires that the units are there.
  void Remove(Units units);
  void Clear();

  // Added to the costs if the units are added.
  double ExtraCost(Units units) const;
  double cost() const { return tables_->CostOf(pattern_); }
  // The largest load as a share of its limit.
  double Fullness() const;

 private:
  void ApplyLimits(size_t item);

  const PackingTables* tables_;
  const LoadTable* table_;
  Pattern pattern_;  // in the order of arrival
  std::vector<double> load_;
  std::vector<double> limit_;   // of everything present
  std::vector<size_t> groups_;  // of the items present
};

}  // namespace mete
