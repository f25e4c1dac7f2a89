// Part of the contents of a bin: those whose pressures stand in certain
// proportions. In a cone, the rows of an item become one limit on one number,
// so that all limits can be tried in one sweep.
#pragma once

#include <cstddef>
#include <vector>

#include "optimize/fill_bin.h"
#include "optimize/packing_tables.h"
#include "optimize/pressure_cone_type.h"

namespace mete {

// What a sweep found at one limit.
struct ConePoint {
  double limit = 0;  // of s
  size_t offer = 0;  // which has this limit: the tightest one present
  size_t place = 0;  // of the offer among OffersByLimit
  double bound = 0;  // of contents with this limit
};

// Bounds cones of one class of bins for given offers.
class ConeBounds {
 public:
  // `offers` have item, profit and units. The tables outlive the object.
  ConeBounds(const PackingTables& tables, size_t bin_class,
             std::vector<Offer> offers);

  PressureCone Whole() const;
  // Lowers the bound of the cone by better prices: subgradient steps along one
  // coordinate at a time, then along all of them. Any prices give a valid
  // bound. A bound of `aim` would be enough.
  void Tighten(PressureCone& cone, double aim);
  // Computes the bound for the prices that the cone has.
  void Bound(PressureCone& cone);
  // From now on, contents without the item only.
  void Exclude(size_t item);
  // The points of the last bound of the cone that are above `least`, the
  // highest first. Fills worth() and limits().
  std::vector<ConePoint> Sweep(const PressureCone& cone, double least);
  // The offers that contents with this limit can have, with their worth for
  // the prices of the cone of the last sweep.
  std::vector<Offer> OffersWithin(double limit, size_t without) const;
  // All offers, the loosest limit first, with their worth of the last sweep.
  std::vector<Offer> OffersByLimit() const;
  const Offer& offer(size_t e) const { return offers_[e]; }
  // What the capacities of the resources are worth, for the last sweep.
  double extra() const { return extra_; }
  size_t offers() const { return offers_.size(); }
  size_t evaluations() const { return evaluations_; }

 private:
  struct Evaluation {
    double bound = 0;
    std::vector<double> slack;  // derivative by each price
  };

  void Descend(PressureCone& cone, const std::vector<double>& units, double aim,
               Evaluation best);
  void ChooseAcross();
  void FindLimits(const PressureCone& cone);
  double LeastAlong(const std::vector<double>& row,
                    const PressureCone& cone) const;
  void FindWorths(const PressureCone& cone, const std::vector<double>& prices);
  Evaluation Evaluate(const PressureCone& cone,
                      const std::vector<double>& prices,
                      std::vector<ConePoint>* points, double least);
  std::vector<double> SlackAt(const PressureCone& cone, double limit) const;

  const PackingTables& tables_;
  const LoadTable& table_;
  size_t pressures_;
  size_t resources_;
  std::vector<Offer> offers_;
  std::vector<double> across_;
  std::vector<double> limits_;      // of each offer in the current cone
  std::vector<size_t> by_limit_;    // offers, the loosest first
  std::vector<size_t> by_ratio_;    // offers, the best worth per weight first
  std::vector<size_t> rank_;        // position of each offer in by_ratio_
  std::vector<double> ratio_;       // worth per weight of each offer
  std::vector<double> worth_tree_;  // Fenwick trees over by_ratio_
  std::vector<double> weight_tree_;
  double extra_ = 0;
  size_t evaluations_ = 0;
};

}  // namespace mete
