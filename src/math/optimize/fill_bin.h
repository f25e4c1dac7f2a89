// Depth-first search for the best contents of a bin, given what is offered and
// how much of the capacity it may take.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "optimize/packing_tables.h"
#include "optimize/price_pattern.h"

namespace mete {

// Units that may be packed, all alike.
struct Offer {
  size_t item = 0;
  double profit = 0;  // of one unit
  // Profit with what the capacities that are not searched are worth: a sum of
  // worths is at least the profit of the same contents.
  double worth = 0;
  double weight = 0;  // share of the capacity that is searched
  int units = 0;
};

// Offers sorted by worth per weight, with sums that bound what the rest of them
// can bring.
class SortedOffers {
 public:
  // Offers that have no worth are only taken for the bonus of a feature.
  SortedOffers(std::vector<Offer> offers, double capacity);

  size_t size() const { return offers_.size(); }
  const Offer& operator[](size_t e) const { return offers_[e]; }
  double capacity() const { return capacity_; }
  // What offers from `e` on can bring at most in `room`, split at will.
  double Rest(size_t e, double room) const;

 private:
  std::vector<Offer> offers_;
  std::vector<double> worth_before_;  // sums over the offers before
  std::vector<double> weight_before_;
  double capacity_ = 0;
};

class KnapsackTable;

// A list of offers, with a table that was filled with it.
struct TableSearch {
  std::span<const Offer> offers;
  const KnapsackTable& table;
  double extra = 0;  // added to all worths
};

// Tries contents of a bin of one class and keeps the best ones.
class BinFiller {
 public:
  // Tables and request outlive the filler.
  BinFiller(const PackingTables& tables, const PricingRequest& request);

  // Adds as much as fits of one offer after the other, without going back.
  // Starts with a unit of `first`, which is not one of the offers.
  void FillGreedily(const SortedOffers& offers, const Offer& first);
  // Exchanges single items of the best contents for others, while that helps.
  // No other contents are tried than those within the limits of the bin.
  void Exchange(const SortedOffers& offers);
  // Tries all contents with at least one unit of `first` that could be better
  // than the best so far. `extra` is added to all worths. Returns false if it
  // stopped before, after `most_steps`.
  bool Search(const SortedOffers& offers, const Offer& first, double extra,
              size_t most_steps);

  // The same for the contents whose last offer of a list is the one at `place`,
  // within `limit`, with a table of the list for the bounds.
  bool SearchTable(const TableSearch& search, size_t place, double limit,
                   size_t most_steps);

  // The highest profit so far, or the least that is of interest.
  double best() const { return best_; }
  // Whether contents of at most this profit are not worth a search. They count
  // for `pruned`.
  bool Prune(double profit);
  // No contents that were left out have a higher profit.
  double pruned() const { return pruned_; }
  size_t steps() const { return steps_; }
  std::vector<PricedPattern> TakePatterns() &&;
  // The open cost, and bonuses that any contents might get.
  double constant() const { return constant_; }

 private:
  // What was added so far.
  struct Sums {
    double profit = 0;
    double worth = 0;
    double weight = 0;
  };

  bool Visit(const SortedOffers& offers, size_t next, const Sums& sums);
  bool VisitTable(const TableSearch& search, size_t left, const Sums& sums,
                  double room);
  bool Hopeless(double worth);
  bool OutOfTime() const;
  int MostUnits(const Offer& offer) const;
  double FillUp(const SortedOffers& offers, size_t without);
  bool Include(Units units);
  void Undo();
  void UndoAll();
  void Record(double profit);
  double BonusOf() const;

  const PackingTables& tables_;
  const LoadTable& table_;
  const PricingRequest& request_;
  Pattern pattern_;
  size_t level_ = 0;
  std::vector<double> load_;  // level x loads
  std::vector<double> limit_;
  std::vector<size_t> groups_;
  std::vector<PricedPattern> kept_;
  double best_;
  double pruned_;
  double constant_ = 0;
  double extra_ = 0;
  size_t steps_ = 0;
  size_t last_step_ = 0;
};

}  // namespace mete
