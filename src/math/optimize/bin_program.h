// A small packing problem as one integer program: how many units of each item
// are in each bin, whether an item is in a bin at all, and how far the items
// present lower the limits of the bin. Its own relaxation is weak; the prices
// of column generation make it as strong as the program over patterns.
//
// Columns: first one for each item, 1 if it is placed.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "optimize/column_generation.h"
#include "optimize/integer_program.h"
#include "optimize/packing_tables.h"

namespace mete {

// Whether the bins of a class have variables of their own.
enum class BinGrouping {
  kSeparate,
  // One bin stands for all of them, with the sums of their limits. Every plan
  // satisfies these rows, but not everything that does can be dealt out to the
  // bins: a relaxation that is much easier to solve.
  kTogether,
};

// The program with the places of its variables.
class BinProgram {
 public:
  // The tables outlive the object and have no oracle. The best of `bounds`
  // become rows: no bin brings more than its class does at these prices.
  BinProgram(const PackingTables& tables, std::vector<PricedBound> bounds,
             BinGrouping grouping);

  const IntegerProgram& program() const { return program_; }
  IntegerProgram& program() { return program_; }
  // Allows only plans that place exactly these items.
  void Demand(const std::vector<bool>& placed);
  // Excludes all plans that place these items and perhaps others.
  void Forbid(const std::vector<bool>& placed);
  // Excludes all plans that place exactly these items.
  void ForbidExactly(const std::vector<bool>& placed);
  // Which items the values place.
  std::vector<bool> PlacedBy(const std::vector<double>& values) const;
  // The contents of all bins that are not empty, if they are separate.
  Patterns PatternsOf(const std::vector<double>& values) const;

 private:
  // Variables of one bin.
  struct Bin {
    size_t bin_class = 0;
    double count = 1;  // bins that it stands for
    size_t open = 0;   // how many of them hold a copy
    std::vector<std::optional<size_t>> units;
    std::vector<std::optional<size_t>> present;
  };
  struct Limit {
    double value = 0;
    size_t item = 0;
  };

  void AddBins(size_t bin_class, BinGrouping grouping,
               const std::vector<PricedBound>& bounds);
  size_t AddColumn(double objective, double upper, bool integer);
  size_t AddRow(double lower, double upper);
  void Set(size_t row, size_t column, double value);
  void AddItems();
  void AddBin(size_t bin_class, double count,
              const std::vector<PricedBound>& bounds);
  void AddUnits(Bin& bin, size_t item);
  void AddSavings(Bin& bin);
  void AddLoad(const Bin& bin, size_t load);
  void AddGroups(const Bin& bin);
  void AddPrices(const Bin& bin, const PricedBound& bound);
  void AddOrder(const Bin& before, const Bin& bin);
  double MostLoad(size_t bin_class, size_t load) const;

  const PackingTables& tables_;
  IntegerProgram program_;
  std::vector<size_t> all_units_;  // row of each item: units placed
  std::vector<Bin> bins_;
  std::vector<std::pair<size_t, double>> savings_;  // of the bin in work
};

}  // namespace mete
