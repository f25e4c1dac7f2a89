#include "optimize/price_pattern.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <utility>

#include "optimize/fill_bin.h"
#include "optimize/knapsack_table.h"
#include "optimize/pressure_cone.h"

namespace mete {
namespace {

constexpr double kExcluded = -std::numeric_limits<double>::infinity();
constexpr double kRounding = 1e-9;
// Cones with wider sides are split rather than searched.
constexpr double kWideCone = 0.05;
// Cones with narrower sides are not split any more.
constexpr double kNarrowCone = 1e-4;
// Steps of the search below one limit of a cone that can still be split.
constexpr size_t kStepsPerLimit = 2000;
constexpr size_t kStepsIfWide = 150;
// Cones that are remembered for the next search.
constexpr size_t kMostLeaves = 32;
// With more offers, filling a table takes too long.
constexpr size_t kMostTableOffers = 400;
// With more offers, wide cones are split and not searched.
constexpr size_t kMostSearchedOffers = 1000;
// Limits of a cone below which a bin is filled greedily.
constexpr size_t kFilled = 3;

// One call of PricePatterns.
class ConeSearch {
 public:
  ConeSearch(const PackingTables& tables, const PricingRequest& request)
      : tables_(tables),
        request_(request),
        filler_(tables, request),
        bounds_(tables, request.bin_class, AllOffers()) {}

  PricingResult Run() && {
    PushFirst();
    while (!open_.empty() && cones_ < request_.most_boxes &&
           (cones_ == 0 || filler_.steps() < request_.most_steps) &&
           (request_.limits == nullptr || !request_.limits->Over())) {
      PressureCone cone = open_.top();
      if (filler_.Prune(cone.bound + filler_.constant())) break;
      open_.pop();
      if (!cone.tight) {
        TightenAgain(std::move(cone));
        continue;
      }
      ++cones_;
      Process(cone);
    }
    ImproveBest();
    PricingResult result{.steps = filler_.steps()};
    result.bound = std::max({stuck_, filler_.best(), filler_.pruned()});
    if (!open_.empty()) {
      result.bound =
          std::max(result.bound, open_.top().bound + filler_.constant());
    }
    result.best = std::move(filler_).TakePatterns();
    if (request_.spread > 0) result.spread = Spread(result.best);
    if (request_.cones != nullptr) *request_.cones = std::move(leaves_);
    return result;
  }

 private:
  std::vector<Offer> AllOffers() const {
    const BinClass& bins = tables_.classes()[request_.bin_class];
    const LoadTable& table = tables_.table(request_.bin_class);
    std::vector<Offer> offers;
    for (size_t i = 0; i < tables_.size(); ++i) {
      double profit = request_.prices[i] - table.cost[i];
      if (table.most[i] == 0 || profit == kExcluded) continue;
      int units = table.most[i];
      if (!request_.most_units.empty()) {
        units = std::min(units, request_.most_units[i]);
      }
      if (units <= 0) continue;
      int stay = 0;
      if (!bins.residents.empty()) {
        const TableItem& item = tables_.item(i);
        int copies = tables_.StayingCopies(request_.bin_class, i);
        stay = std::min(
            units, (copies + item.copies_per_unit - 1) / item.copies_per_unit);
        if (stay > 0) {
          double saved = tables_.SavedBy(request_.bin_class, {i, stay}) / stay;
          if (profit + saved > 0 || HasBonus(i)) {
            offers.push_back(
                {.item = i, .profit = profit + saved, .units = stay});
          }
        }
      }
      if ((profit > 0 || HasBonus(i)) && units > stay) {
        offers.push_back({.item = i, .profit = profit, .units = units - stay});
      }
    }
    return offers;
  }

  // Whether a feature may make up for a loss.
  bool HasBonus(size_t item) const {
    for (const Feature& feature : request_.features) {
      if (feature.bonus <= 0) continue;
      for (const Units& wanted : feature.at_least) {
        if (wanted.item == item) return true;
      }
    }
    return false;
  }

  // Starts from the cones of the last search, which divided the whole: their
  // prices are close to the best ones now.
  void PushFirst() {
    if (request_.cones == nullptr || request_.cones->empty() ||
        request_.cones->size() >= kMostLeaves) {
      PressureCone whole = bounds_.Whole();
      bounds_.Tighten(whole, Aim());
      leaves_.push_back(whole);
      Push(std::move(whole));
      return;
    }
    for (PressureCone& cone : *request_.cones) {
      bounds_.BoundQuickly(cone);
      cone.tight = false;
      leaves_.push_back(cone);
      Push(std::move(cone));
    }
  }

  // A bound below this closes a cone.
  double Aim() const { return filler_.best() - filler_.constant(); }

  // A cone of the last search, for the offers of this one.
  void TightenAgain(PressureCone cone) {
    bounds_.Tighten(cone, Aim());
    for (PressureCone& leaf : leaves_) {
      if (leaf.low == cone.low && leaf.high == cone.high) leaf = cone;
    }
    Push(std::move(cone));
  }

  // Exchanges items of the best contents for any others.
  void ImproveBest() {
    // The profit of an item that may stay depends on how many do.
    if (!tables_.classes()[request_.bin_class].residents.empty()) return;
    if (bounds_.offers() > kMostTableOffers) return;
    auto points = bounds_.Sweep(leaves_[0], 0);
    if (points.empty()) return;
    bounds_.ValueFor(leaves_[0], points[0]);
    SortedOffers all(bounds_.OffersWithin(0, tables_.size()), points[0].limit);
    filler_.Exchange(all);
  }

  // Fills one bin after the other, each with what is left.
  std::vector<PricedPattern> Spread(const std::vector<PricedPattern>& before) {
    PricingRequest modest = request_;
    modest.least = 0;
    modest.most_patterns = 1;
    std::vector<PricedPattern> found;
    const Pattern* last = before.empty() ? nullptr : &before[0].pattern;
    for (size_t s = 0; s < request_.spread && !leaves_.empty(); ++s) {
      if (last != nullptr) {
        for (const Units& used : last->contents) bounds_.Exclude(used.item);
      }
      BinFiller filler(tables_, modest);
      const PressureCone& cone = leaves_[s % leaves_.size()];
      auto points = bounds_.Sweep(cone, 0);
      if (points.empty()) break;
      bounds_.ValueFor(cone, points[0]);
      SortedOffers sorted(
          bounds_.OffersWithin(points[0].limit, points[0].offer),
          points[0].limit);
      filler.FillGreedily(sorted, bounds_.offer(points[0].offer));
      auto patterns = std::move(filler).TakePatterns();
      if (patterns.empty()) break;
      found.push_back(std::move(patterns[0]));
      last = &found.back().pattern;
    }
    return found;
  }

  // Keeps a cone with its bound for later, if it may hold something better.
  void Push(PressureCone cone) {
    if (filler_.Prune(cone.bound + filler_.constant())) return;
    open_.push(std::move(cone));
  }

  static size_t WidestSide(const PressureCone& cone, double& width) {
    size_t widest = cone.low.size();
    width = 0;
    for (size_t d = 0; d < cone.low.size(); ++d) {
      double wide = (cone.high[d] - cone.low[d]) / std::max(cone.high[d], 1e-9);
      if (wide > width) {
        width = wide;
        widest = d;
      }
    }
    return widest;
  }

  // Searches or splits the cone.
  void Process(PressureCone& cone) {
    double width = 0;
    size_t side = WidestSide(cone, width);
    std::vector<ConePoint> points =
        bounds_.Sweep(cone, filler_.best() - filler_.constant() + kRounding);
    bool wide = width > kWideCone;
    bool divisible = width > kNarrowCone;
    bool table = bounds_.offers() <= kMostTableOffers;
    if (!points.empty()) bounds_.ValueFor(cone, points[0]);
    if (table) FillTable(points);
    double left = SearchPoints(cone, points, table, wide, divisible);
    if (filler_.Prune(left)) return;
    cone.bound = std::min(cone.bound, left - filler_.constant());
    if (!divisible) {
      stuck_ = std::max(stuck_, left);
    } else if (cones_ < request_.most_boxes) {
      Split(cone, side);
    } else {
      open_.push(cone);  // for its bound
    }
  }

  // Lowers the bounds of the points to what the table promises.
  void FillTable(std::vector<ConePoint>& points) {
    by_limit_ = bounds_.OffersByLimit();
    double capacity = 0;
    for (const ConePoint& point : points) {
      capacity = std::max(capacity, point.limit);
    }
    table_.Fill(by_limit_, capacity);
    for (ConePoint& point : points) {
      const Offer& offer = by_limit_[point.place];
      double best = -std::numeric_limits<double>::infinity();
      for (int units = 1; units <= offer.units; ++units) {
        double room = point.limit - units * offer.weight;
        best = std::max(best,
                        units * offer.worth + table_.Best(point.place, room));
      }
      point.bound = std::min(point.bound, best + bounds_.extra());
    }
    std::ranges::sort(points, [](const ConePoint& a, const ConePoint& b) {
      return a.bound != b.bound ? a.bound > b.bound : a.offer < b.offer;
    });
  }

  // Returns the bound of what was not searched.
  double SearchPoints(const PressureCone& cone,
                      const std::vector<ConePoint>& points, bool table,
                      bool wide, bool divisible) {
    if (wide && divisible && bounds_.offers() > kMostSearchedOffers &&
        !points.empty()) {
      FillFurther(cone, points, 0);
      return points[0].bound + filler_.constant();
    }
    double extra = bounds_.extra();
    for (size_t k = 0; k < points.size(); ++k) {
      const ConePoint& point = points[k];
      double bound = point.bound + filler_.constant();
      if (filler_.Prune(bound)) break;
      if (k > 0 && filler_.steps() >= request_.most_steps) return bound;
      size_t steps = !divisible ? request_.most_steps
                     : wide     ? kStepsIfWide
                                : kStepsPerLimit;
      bool whole = false;
      if (k < kFilled || !table) {
        bounds_.ValueFor(cone, point);
        const Offer& first = bounds_.offer(point.offer);
        SortedOffers sorted(bounds_.OffersWithin(point.limit, point.offer),
                            point.limit);
        if (k < kFilled) filler_.FillGreedily(sorted, first);
        if (!table) {
          whole = filler_.Search(sorted, first, bounds_.extra(), steps);
        }
      }
      if (table) {
        TableSearch search{by_limit_, table_, extra};
        whole = filler_.SearchTable(search, point.place, point.limit, steps);
      }
      if (whole) continue;
      FillFurther(cone, points, k + 1);
      return bound;
    }
    return filler_.best();
  }

  // Fills bins below the next limits too, to find good contents early.
  void FillFurther(const PressureCone& cone,
                   const std::vector<ConePoint>& points, size_t next) {
    for (size_t k = next; k < std::min(points.size(), kFilled); ++k) {
      bounds_.ValueFor(cone, points[k]);
      SortedOffers sorted(
          bounds_.OffersWithin(points[k].limit, points[k].offer),
          points[k].limit);
      filler_.FillGreedily(sorted, bounds_.offer(points[k].offer));
    }
  }

  void Split(const PressureCone& cone, size_t side) {
    PressureCone lower = cone, upper = cone;
    double middle = (cone.low[side] + cone.high[side]) / 2;
    lower.high[side] = middle;
    upper.low[side] = middle;
    bounds_.Tighten(lower, Aim());
    bounds_.Tighten(upper, Aim());
    // Their prices may be worse than those of the whole.
    lower.bound = std::min(lower.bound, cone.bound);
    upper.bound = std::min(upper.bound, cone.bound);
    Replace(cone, lower, upper);
    Push(std::move(lower));
    Push(std::move(upper));
  }

  // The leaves always cover the whole, so they are only replaced while there is
  // room for both halves.
  void Replace(const PressureCone& cone, const PressureCone& lower,
               const PressureCone& upper) {
    if (leaves_.size() >= kMostLeaves) return;
    for (PressureCone& leaf : leaves_) {
      if (leaf.low != cone.low || leaf.high != cone.high) continue;
      leaf = lower;
      leaves_.push_back(upper);
      return;
    }
  }

  const PackingTables& tables_;
  const PricingRequest& request_;
  BinFiller filler_;
  ConeBounds bounds_;
  KnapsackTable table_;
  std::vector<Offer> by_limit_;  // that the table was filled with
  std::priority_queue<PressureCone> open_;
  std::vector<PressureCone> leaves_;  // cover the whole
  size_t cones_ = 0;                  // processed
  double stuck_ = 0;  // highest bound of cones that could not be finished
};

}  // namespace

PricingResult PricePatterns(const PackingTables& tables,
                            const PricingRequest& request) {
  return ConeSearch(tables, request).Run();
}

}  // namespace mete
