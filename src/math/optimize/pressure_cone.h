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
  double limit = 0;   // of s
  size_t offer = 0;   // which has this limit: the tightest one present
  size_t place = 0;   // of the offer among OffersByLimit
  double bound = 0;   // of contents with this limit
  size_t prices = 0;  // of the cone, those that give the bound
};

// Bounds cones of one class of bins for given offers.
class ConeBounds {
 public:
  // `offers` have item, profit and units. The tables outlive the object.
  ConeBounds(const PackingTables& tables, size_t bin_class,
             std::vector<Offer> offers);

  PressureCone Whole() const;
  // Lowers the bound of the cone by prices for its highest limits, one after
  // the other. Any prices give a valid bound. A bound of `aim` is enough.
  void Tighten(PressureCone& cone, double aim);
  // A quick bound with the last prices of the cone.
  void BoundQuickly(PressureCone& cone);
  // From now on, contents without the item only.
  void Exclude(size_t item);
  // The points of the cone with bounds above `least`, the highest first.
  std::vector<ConePoint> Sweep(const PressureCone& cone, double least);
  // Values the offers by the prices that bound a point.
  void ValueFor(const PressureCone& cone, const ConePoint& point);
  // The offers that contents with this limit can have, with their worth for
  // the last prices.
  std::vector<Offer> OffersWithin(double limit, size_t without) const;
  // All offers, the loosest limit first, with their worth for the last prices.
  std::vector<Offer> OffersByLimit() const;
  const Offer& offer(size_t e) const { return offers_[e]; }
  // What the capacities of the resources are worth, for the last prices.
  double extra() const { return extra_; }
  size_t offers() const { return offers_.size(); }

 private:
  struct RatedOffer {
    double ratio = 0;  // worth per weight
    size_t offer = 0;
  };
  // The bound of contents with one limit.
  struct PointValue {
    double bound = 0;
    std::vector<double> slack;  // derivative by each price
  };

  struct PricedPoint {
    std::vector<double> prices;
    PointValue value;
  };

  void BoundLimits(const PressureCone& cone, size_t first_prices);
  void Merge(const PressureCone& cone, size_t prices);
  size_t HighestOffer() const;
  void TryResourcePrices(PressureCone& cone);
  std::vector<double> PricesFor(const PressureCone& cone, double limit,
                                const std::vector<double>& start, double aim);
  std::vector<double> UnitsOfPrices(const PressureCone& cone,
                                    double bound) const;
  void StepAlong(const PressureCone& cone, double limit, size_t price,
                 double unit, PricedPoint& best);
  void Descend(const PressureCone& cone, double limit,
               const std::vector<double>& units, double aim, PricedPoint& best);
  void ChooseAcross();
  void FindLimits(const PressureCone& cone);
  double LeastAlong(const std::vector<double>& row,
                    const PressureCone& cone) const;
  void FindWorths(const PressureCone& cone, const std::vector<double>& prices);
  void SortByRatio();
  PointValue ValueAt(const PressureCone& cone, double limit,
                     const std::vector<double>& prices);

  const PackingTables& tables_;
  const LoadTable& table_;
  size_t pressures_;
  size_t resources_;
  std::vector<Offer> offers_;
  std::vector<double> across_;
  std::vector<double> limits_;        // of each offer in the current cone
  std::vector<size_t> by_limit_;      // offers, the loosest first
  std::vector<RatedOffer> by_ratio_;  // the best worth per weight first
  std::vector<size_t> rank_;          // position of each offer in by_ratio_
  std::vector<double> worth_tree_;    // Fenwick trees over by_ratio_
  std::vector<double> weight_tree_;
  std::vector<double> lowest_;       // bound of each offer's limit
  std::vector<size_t> lowest_with_;  // prices that gave it
  double extra_ = 0;
};

}  // namespace mete
