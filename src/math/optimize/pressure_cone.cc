#include "optimize/pressure_cone.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace mete {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();
constexpr double kSlackRounding = 1e-9;
constexpr size_t kManyOffers = 1000;
// Steps along one price, and along all of them.
constexpr int kMoves = 8;
constexpr int kDescents = 16;
// Vectors of prices of a cone, and how many are tried when it is tightened.
constexpr size_t kMostPrices = 6;
// The same with many offers, which start from steps of the price of a resource.
constexpr size_t kMostPricesOfMany = 18;
constexpr size_t kSteps = 12;
// A further vector has to close this share of the gap.
constexpr double kLeastProgress = 0.02;

void AddToTree(std::vector<double>& tree, size_t position, double value) {
  for (size_t k = position + 1; k < tree.size(); k += k & (~k + 1)) {
    tree[k] += value;
  }
}

}  // namespace

ConeBounds::ConeBounds(const PackingTables& tables, size_t bin_class,
                       std::vector<Offer> offers)
    : tables_(tables),
      table_(tables.table(bin_class)),
      pressures_(tables.problem().pressures),
      resources_(tables.problem().resources),
      offers_(std::move(offers)),
      across_(pressures_, 1),
      limits_(offers_.size()),
      by_limit_(offers_.size()),
      by_ratio_(offers_.size()),
      rank_(offers_.size()) {
  if (pressures_ > 1) ChooseAcross();
  for (Offer& offer : offers_) {
    offer.weight = 0;
    for (size_t d = 0; d < pressures_; ++d) {
      offer.weight += across_[d] * table_.pressure[offer.item * pressures_ + d];
    }
  }
  std::iota(by_limit_.begin(), by_limit_.end(), size_t{0});
  for (size_t e = 0; e < offers_.size(); ++e) by_ratio_[e].offer = e;
}

// The mean of the rows that bind first when the pressures grow in their usual
// proportion. Rows that are parallel to it have the same limit in all cones.
// Offers do not matter, so that cones stay the same when prices change.
void ConeBounds::ChooseAcross() {
  std::vector<double> usual(pressures_);
  for (size_t i = 0; i < tables_.size(); ++i) {
    for (size_t d = 0; d < pressures_; ++d) {
      usual[d] += table_.most[i] * table_.pressure[i * pressures_ + d];
    }
  }
  std::ranges::fill(across_, 0);
  for (size_t i = 0; i < tables_.size(); ++i) {
    if (table_.most[i] == 0) continue;
    double most = 0;
    size_t first = table_.directions.size();
    for (size_t m = 0; m < table_.directions.size(); ++m) {
      double limit = table_.LimitOf(i)[resources_ + m];
      double load = std::inner_product(usual.begin(), usual.end(),
                                       table_.directions[m].begin(), 0.0);
      if (load > most * limit) {
        most = load / limit;
        first = m;
      }
    }
    if (first == table_.directions.size()) continue;
    const std::vector<double>& row = table_.directions[first];
    double size = std::accumulate(row.begin(), row.end(), 0.0);
    for (size_t d = 0; d < pressures_; ++d) across_[d] += row[d] / size;
  }
  double largest = *std::ranges::max_element(across_);
  for (double& weight : across_) {
    weight = largest > 0 ? std::max(weight / largest, 0.01) : 1;
  }
}

PressureCone ConeBounds::Whole() const {
  PressureCone cone;
  size_t sides = pressures_ > 1 ? pressures_ - 1 : 0;
  cone.low.assign(sides, kNoLimit);
  cone.high.assign(sides, 0);
  for (size_t i = 0; i < tables_.size(); ++i) {
    if (table_.most[i] == 0) continue;
    const double* pressure = table_.pressure.data() + i * pressures_;
    double weight =
        std::inner_product(across_.begin(), across_.end(), pressure, 0.0);
    if (weight <= 0) continue;
    // A sum lies between its parts.
    for (size_t d = 0; d < sides; ++d) {
      cone.low[d] = std::min(cone.low[d], pressure[d] / weight);
      cone.high[d] = std::max(cone.high[d], pressure[d] / weight);
    }
  }
  for (size_t d = 0; d < sides; ++d) {
    cone.low[d] = std::min(cone.low[d], cone.high[d]) * (1 - 1e-9);
    cone.high[d] *= 1 + 1e-9;
  }
  cone.prices = {std::vector<double>(2 * sides + resources_)};
  return cone;
}

// The least value of a row for pressures in the cone with s = 1; infinite if
// there are none.
double ConeBounds::LeastAlong(const std::vector<double>& row,
                              const PressureCone& cone) const {
  size_t last = pressures_ - 1;
  double rest = 1;
  double value = 0;
  for (size_t d = 0; d < last; ++d) {
    value += row[d] * cone.low[d];
    rest -= across_[d] * cone.low[d];
  }
  if (rest < -kSlackRounding) return kNoLimit;
  rest = std::max(rest, 0.0);
  // What is left of s goes where the row is cheapest: to the last pressure, or
  // first to others up to their high side.
  double last_rate = row[last] / across_[last];
  std::vector<bool> full(last);
  for (size_t step = 0; step < last; ++step) {
    size_t cheapest = last;
    for (size_t d = 0; d < last; ++d) {
      if (full[d] || row[d] / across_[d] >= last_rate) continue;
      if (cheapest == last ||
          row[d] * across_[cheapest] < row[cheapest] * across_[d]) {
        cheapest = d;
      }
    }
    if (cheapest == last) break;
    full[cheapest] = true;
    double room =
        across_[cheapest] * (cone.high[cheapest] - cone.low[cheapest]);
    double used = std::min(rest, room);
    value += row[cheapest] / across_[cheapest] * used;
    rest -= used;
  }
  return value + last_rate * rest;
}

void ConeBounds::FindLimits(const PressureCone& cone) {
  std::vector<double> least(table_.directions.size());
  for (size_t m = 0; m < least.size(); ++m) {
    least[m] = LeastAlong(table_.directions[m], cone);
  }
  for (size_t e = 0; e < offers_.size(); ++e) {
    auto limit = table_.LimitOf(offers_[e].item);
    limits_[e] = kNoLimit;
    for (size_t m = 0; m < least.size(); ++m) {
      if (limit[resources_ + m] == kNoLimit || least[m] <= 0) continue;
      limits_[e] = std::min(limits_[e], limit[resources_ + m] / least[m]);
    }
    limits_[e] *= 1 + kSlackRounding;
  }
  std::ranges::sort(by_limit_, [&](size_t a, size_t b) {
    return limits_[a] != limits_[b] ? limits_[a] > limits_[b] : a < b;
  });
}

void ConeBounds::FindWorths(const PressureCone& cone,
                            const std::vector<double>& prices) {
  size_t sides = cone.low.size();
  for (Offer& offer : offers_) {
    const double* pressure = table_.pressure.data() + offer.item * pressures_;
    double worth = offer.profit;
    for (size_t d = 0; d < sides; ++d) {
      worth += prices[d] * (pressure[d] - cone.low[d] * offer.weight);
      worth += prices[sides + d] * (cone.high[d] * offer.weight - pressure[d]);
    }
    for (size_t r = 0; r < resources_; ++r) {
      double use = table_.LoadOf(offer.item)[r];
      if (use > 0) worth -= prices[2 * sides + r] * use / table_.capacity[r];
    }
    offer.worth = worth;
  }
  extra_ = 0;
  for (size_t r = 0; r < resources_; ++r) extra_ += prices[2 * sides + r];
}

void ConeBounds::SortByRatio() {
  for (RatedOffer& rated : by_ratio_) {
    const Offer& offer = offers_[rated.offer];
    rated.ratio = offer.worth / std::max(offer.weight, 1e-300);
  }
  auto before = [](const RatedOffer& a, const RatedOffer& b) {
    return a.ratio != b.ratio ? a.ratio > b.ratio : a.offer < b.offer;
  };
  std::ranges::sort(by_ratio_, before);
}

// Offers join from the loosest limit to the tightest. With each, the best that
// fits below its limit is a prefix of the offers by ratio.
void ConeBounds::Merge(const PressureCone& cone, size_t prices) {
  FindWorths(cone, cone.prices[prices]);
  SortByRatio();
  size_t n = offers_.size();
  for (size_t k = 0; k < n; ++k) rank_[by_ratio_[k].offer] = k;
  worth_tree_.assign(n + 1, 0);
  weight_tree_.assign(n + 1, 0);
  size_t top = 1;
  while (top * 2 <= n) top *= 2;
  auto fill = [&](double capacity) {
    double worth = 0;
    size_t k = 0;
    for (size_t step = top; step > 0; step /= 2) {
      if (k + step > n || weight_tree_[k + step] > capacity) continue;
      k += step;
      capacity -= weight_tree_[k];
      worth += worth_tree_[k];
    }
    if (k == n) return worth;
    const Offer& next = offers_[by_ratio_[k].offer];
    return next.worth > 0 && next.weight > 0
               ? worth + capacity / next.weight * next.worth
               : worth;
  };
  for (size_t e : by_limit_) {
    const Offer& offer = offers_[e];
    if (offer.units == 0) continue;
    double value = -kNoLimit;
    if (offer.worth > 0) {
      AddToTree(worth_tree_, rank_[e], offer.units * offer.worth);
      AddToTree(weight_tree_, rank_[e], offer.units * offer.weight);
      value = fill(limits_[e]);
    } else if (double room = limits_[e] - offer.weight; room >= 0) {
      value = offer.worth + fill(room);
    }
    if (value + extra_ < lowest_[e]) {
      lowest_[e] = value + extra_;
      lowest_with_[e] = prices;
    }
  }
}

// The value of one limit alone, which is convex in the prices.
ConeBounds::PointValue ConeBounds::ValueAt(const PressureCone& cone,
                                           double limit,
                                           const std::vector<double>& prices) {
  FindWorths(cone, prices);
  SortByRatio();
  size_t sides = cone.low.size();
  PointValue value{.bound = extra_,
                   .slack = std::vector<double>(2 * sides + resources_)};
  for (size_t r = 0; r < resources_; ++r) value.slack[2 * sides + r] = 1;
  double room = limit;
  for (auto [ratio, e] : by_ratio_) {
    if (ratio <= 0 || room <= 0) break;
    const Offer& offer = offers_[e];
    if (limits_[e] < limit || offer.units == 0) continue;
    double units = offer.units;
    if (offer.weight > 0) units = std::min(units, room / offer.weight);
    room -= units * offer.weight;
    value.bound += units * offer.worth;
    const double* pressure = table_.pressure.data() + offer.item * pressures_;
    for (size_t d = 0; d < sides; ++d) {
      value.slack[d] += units * (pressure[d] - cone.low[d] * offer.weight);
      value.slack[sides + d] +=
          units * (cone.high[d] * offer.weight - pressure[d]);
    }
    for (size_t r = 0; r < resources_; ++r) {
      double use = table_.LoadOf(offer.item)[r];
      if (use > 0) {
        value.slack[2 * sides + r] -= units * use / table_.capacity[r];
      }
    }
  }
  return value;
}

void ConeBounds::BoundLimits(const PressureCone& cone, size_t first_prices) {
  FindLimits(cone);
  lowest_.assign(offers_.size(), kNoLimit);
  lowest_with_.assign(offers_.size(), 0);
  for (size_t k = first_prices; k < cone.prices.size(); ++k) Merge(cone, k);
}

void ConeBounds::BoundQuickly(PressureCone& cone) {
  BoundLimits(cone, cone.prices.size() - 1);
  size_t highest = HighestOffer();
  cone.bound = highest < offers_.size() ? lowest_[highest] : 0;
}

// The offer whose limit has the highest bound; offers() if there is none.
size_t ConeBounds::HighestOffer() const {
  size_t highest = offers_.size();
  for (size_t e = 0; e < offers_.size(); ++e) {
    if (offers_[e].units == 0) continue;
    if (highest == offers_.size() || lowest_[e] > lowest_[highest]) highest = e;
  }
  return highest;
}

void ConeBounds::Exclude(size_t item) {
  for (Offer& offer : offers_) {
    if (offer.item == item) offer.units = 0;
  }
}

// Prices of single resources in even steps, up to the whole worth of the bin.
void ConeBounds::TryResourcePrices(PressureCone& cone) {
  size_t highest = HighestOffer();
  if (highest == offers_.size()) return;
  double whole = lowest_[highest];
  size_t first = cone.prices[0].size() - resources_;
  for (size_t r = 0; r < resources_; ++r) {
    for (size_t step = 1; step <= kSteps; ++step) {
      cone.prices.emplace_back(cone.prices[0].size());
      cone.prices.back()[first + r] =
          whole * static_cast<double>(step) / static_cast<double>(kSteps);
      Merge(cone, cone.prices.size() - 1);
    }
  }
}

void ConeBounds::Tighten(PressureCone& cone, double aim) {
  BoundLimits(cone, 0);
  cone.tight = true;
  bool many = offers_.size() > kManyOffers;
  if (many && cone.prices.size() == 1) TryResourcePrices(cone);
  size_t rounds = kMostPrices;
  size_t most = many ? kMostPricesOfMany : kMostPrices;
  if (cone.prices[0].empty()) rounds = 0;
  for (size_t round = 0; round < rounds; ++round) {
    size_t highest = HighestOffer();
    if (highest == offers_.size() || lowest_[highest] <= aim) break;
    double before = lowest_[highest];
    cone.prices.push_back(PricesFor(cone, limits_[highest],
                                    cone.prices[lowest_with_[highest]], aim));
    Merge(cone, cone.prices.size() - 1);
    if (lowest_[highest] >= before - kLeastProgress * (before - aim)) {
      cone.prices.pop_back();
      BoundLimits(cone, 0);
      break;
    }
  }
  if (cone.prices.size() > most) {
    cone.prices.erase(cone.prices.begin(),
                      cone.prices.end() - static_cast<long>(most));
    BoundLimits(cone, 0);
  }
  size_t highest = HighestOffer();
  if (highest == offers_.size()) {
    cone.bound = 0;
    return;
  }
  cone.bound = lowest_[highest];
  std::swap(cone.prices[lowest_with_[highest]], cone.prices.back());
}

std::vector<double> ConeBounds::PricesFor(const PressureCone& cone,
                                          double limit,
                                          const std::vector<double>& start,
                                          double aim) {
  PricedPoint best{.prices = start, .value = ValueAt(cone, limit, start)};
  std::vector<double> units = UnitsOfPrices(cone, best.value.bound);
  for (size_t c = 0; c < start.size(); ++c) {
    StepAlong(cone, limit, c, units[c], best);
  }
  // The bound has edges on which no price alone improves it.
  if (start.size() > 1) Descend(cone, limit, units, aim, best);
  return best.prices;
}

// Steps that are large enough to reach good prices, for prices of 0.
std::vector<double> ConeBounds::UnitsOfPrices(const PressureCone& cone,
                                              double bound) const {
  double profit = 0;
  double weight = 0;
  for (const Offer& offer : offers_) {
    profit += offer.units * std::max(offer.profit, 0.0);
    weight += offer.units * offer.weight;
  }
  size_t sides = cone.low.size();
  std::vector<double> units(2 * sides + resources_, 0.2 * bound);
  std::fill_n(units.begin(), 2 * sides, weight > 0 ? 0.2 * profit / weight : 0);
  return units;
}

// Follows the slope along one price, with longer or shorter steps.
void ConeBounds::StepAlong(const PressureCone& cone, double limit, size_t price,
                           double unit, PricedPoint& best) {
  double step = std::max(0.3 * best.prices[price], unit);
  for (int move = 0; move < kMoves && step > 0; ++move) {
    bool up = best.value.slack[price] < -kSlackRounding;
    if (!up && best.prices[price] == 0) break;
    std::vector<double> prices = best.prices;
    prices[price] += up ? step : -std::min(step, prices[price]);
    PointValue next = ValueAt(cone, limit, prices);
    if (next.bound < best.value.bound) {
      bool same = (next.slack[price] < -kSlackRounding) == up;
      step *= same ? 2 : 0.5;
      best = {.prices = std::move(prices), .value = std::move(next)};
    } else {
      step *= 0.3;
    }
  }
}

// Polyak's steps (1969) along all prices. `units` scale them.
void ConeBounds::Descend(const PressureCone& cone, double limit,
                         const std::vector<double>& units, double aim,
                         PricedPoint& best) {
  PricedPoint now = best;
  double reach = 1;
  for (int step = 0; step < kDescents && best.value.bound > aim; ++step) {
    double square = 0;
    std::vector<double> direction(units.size());
    for (size_t c = 0; c < units.size(); ++c) {
      double slack = now.value.slack[c];
      if (now.prices[c] == 0 && slack > 0) continue;
      direction[c] = -units[c] * units[c] * slack;
      square -= direction[c] * slack;
    }
    if (square <= kSlackRounding) break;
    double length = reach * (now.value.bound - aim) / square;
    for (size_t c = 0; c < units.size(); ++c) {
      now.prices[c] = std::max(0.0, now.prices[c] + length * direction[c]);
    }
    now.value = ValueAt(cone, limit, now.prices);
    if (now.value.bound < best.value.bound) {
      best = now;
    } else {
      reach *= 0.7;
    }
  }
}

std::vector<ConePoint> ConeBounds::Sweep(const PressureCone& cone,
                                         double least) {
  BoundLimits(cone, 0);
  std::vector<ConePoint> points;
  size_t place = 0;
  for (size_t e : by_limit_) {
    if (offers_[e].units == 0) continue;
    ++place;
    if (lowest_[e] <= least) continue;
    points.push_back({.limit = limits_[e],
                      .offer = e,
                      .place = place - 1,
                      .bound = lowest_[e],
                      .prices = lowest_with_[e]});
  }
  std::ranges::sort(points, [](const ConePoint& a, const ConePoint& b) {
    return a.bound != b.bound ? a.bound > b.bound : a.offer < b.offer;
  });
  return points;
}

void ConeBounds::ValueFor(const PressureCone& cone, const ConePoint& point) {
  FindWorths(cone, cone.prices[point.prices]);
}

std::vector<Offer> ConeBounds::OffersByLimit() const {
  std::vector<Offer> offers;
  for (size_t e : by_limit_) {
    if (offers_[e].units > 0) offers.push_back(offers_[e]);
  }
  return offers;
}

std::vector<Offer> ConeBounds::OffersWithin(double limit,
                                            size_t without) const {
  std::vector<Offer> offers;
  for (size_t e = 0; e < offers_.size(); ++e) {
    if (e == without || limits_[e] < limit || offers_[e].units == 0) continue;
    offers.push_back(offers_[e]);
  }
  return offers;
}

}  // namespace mete
