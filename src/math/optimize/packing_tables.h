// A packing problem as tables, made once and read by every solver: items become
// loads and limits, so that adding copies to a bin costs a few additions.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "optimize/packing_problem.h"

namespace mete {

// Loads and limits of the items in one type of bins. A load is the use of a
// resource or weights . pressure for the weights of a row: rows of different
// items with the same weights share a load, and each limits it in its own way.
// Contents fit if every load is at most the capacity and the limits of all
// items that are present.
struct LoadTable {
  size_t loads = 0;              // per item: resources first
  std::vector<double> capacity;  // infinite for the loads of rows
  std::vector<std::vector<double>> directions;  // weights of the loads of rows
  std::vector<double> load;                     // items x loads, by one unit
  std::vector<double> limit;                    // items x loads
  std::vector<double> pressure;  // items x pressures, by one unit
  std::vector<int> most;         // units of an item in a bin; 0: excluded
  std::vector<double> cost;      // of one unit

  std::span<const double> LoadOf(size_t item) const {
    return {load.data() + item * loads, loads};
  }
  std::span<const double> LimitOf(size_t item) const {
    return {limit.data() + item * loads, loads};
  }
};

// What is placed as a whole: a copy, or all copies of an item that must not be
// split.
struct TableItem {
  double score = 0;  // of the item if it is placed, before costs
  int units = 1;
  int copies_per_unit = 1;
  double move_cost = 0;  // of a copy
  std::vector<size_t> groups;
};

// Bins that are interchangeable even with regard to the previous plan: those of
// a type that held nothing worth keeping, or a single one that did.
struct BinClass {
  size_t type = 0;
  std::vector<size_t> numbers;    // of its bins
  std::vector<Copies> residents;  // copies that the previous plan had here
  double open_cost = 0;

  size_t count() const { return numbers.size(); }
};

// Units of an item in one bin.
struct Units {
  size_t item = 0;
  int count = 0;
  auto operator<=>(const Units&) const = default;
};

// The contents of a bin of a class, in the order of the items.
struct Pattern {
  size_t bin_class = 0;
  std::vector<Units> contents;
  auto operator<=>(const Pattern&) const = default;
};

// The tables of a problem. Immutable, so that threads can share them.
class PackingTables {
 public:
  // The problem has passed CheckProblem and outlives the tables.
  explicit PackingTables(const PackingProblem& problem);

  const PackingProblem& problem() const { return *problem_; }
  size_t size() const { return items_.size(); }
  const TableItem& item(size_t i) const { return items_[i]; }
  const std::vector<BinClass>& classes() const { return classes_; }
  const LoadTable& table(size_t bin_class) const {
    return tables_[classes_[bin_class].type];
  }
  size_t bins() const { return bins_; }

  // What the contents cost: the bin, its copies, and less what is saved because
  // copies stay. May be below 0. Empty contents cost nothing.
  double CostOf(const Pattern& pattern) const;
  // How many units of an item would stay in a bin of the class.
  int StayingCopies(size_t bin_class, size_t item) const;
  // Saved by `units` units of an item that stay where they are.
  double SavedBy(size_t bin_class, Units units) const;
  // Whether contents with fewer units of the item may be worse or forbidden, so
  // that units cannot simply be removed where there are too many.
  bool MustBeExact(size_t item) const;
  // Whether any bin may hold a unit of the item.
  bool FitsSomewhere(size_t item) const;
  // Asks the oracle, if there is one.
  bool OracleAllows(const Pattern& pattern) const;

 private:
  void MakeItems();
  void MakeClasses();
  LoadTable MakeTable(size_t type) const;
  int MostUnits(const LoadTable& table, size_t type, size_t item) const;
  void ExcludeHopeless();

  const PackingProblem* problem_;
  std::vector<TableItem> items_;
  std::vector<BinClass> classes_;
  std::vector<LoadTable> tables_;  // by type
  size_t bins_ = 0;
};

// The contents of every bin of a solution.
using Patterns = std::vector<Pattern>;

// Gives each pattern a bin. At most count() patterns of a class.
PackingPlan PlanOf(const PackingTables& tables, Patterns patterns);

}  // namespace mete
