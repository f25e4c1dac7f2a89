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
constexpr int kDescents = 16;

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
      rank_(offers_.size()),
      ratio_(offers_.size()) {
  if (pressures_ > 1) ChooseAcross();
  for (Offer& offer : offers_) {
    offer.weight = 0;
    for (size_t d = 0; d < pressures_; ++d) {
      offer.weight += across_[d] * table_.pressure[offer.item * pressures_ + d];
    }
  }
  std::iota(by_limit_.begin(), by_limit_.end(), size_t{0});
  std::iota(by_ratio_.begin(), by_ratio_.end(), size_t{0});
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
  cone.prices.assign(2 * sides + resources_, 0);
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

// Offers join from the loosest limit to the tightest. With each, the best that
// fits below its limit is a prefix of the offers by ratio.
ConeBounds::Evaluation ConeBounds::Evaluate(const PressureCone& cone,
                                            const std::vector<double>& prices,
                                            std::vector<ConePoint>* points,
                                            double least) {
  ++evaluations_;
  FindWorths(cone, prices);
  for (size_t e = 0; e < offers_.size(); ++e) {
    ratio_[e] = offers_[e].worth / std::max(offers_[e].weight, 1e-300);
  }
  std::ranges::sort(by_ratio_, [&](size_t a, size_t b) {
    return ratio_[a] != ratio_[b] ? ratio_[a] > ratio_[b] : a < b;
  });
  size_t n = offers_.size();
  for (size_t k = 0; k < n; ++k) rank_[by_ratio_[k]] = k;
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
    const Offer& next = offers_[by_ratio_[k]];
    return next.worth > 0 && next.weight > 0
               ? worth + capacity / next.weight * next.worth
               : worth;
  };
  Evaluation result;
  double at = 0;
  size_t place = 0;
  for (size_t e : by_limit_) {
    const Offer& offer = offers_[e];
    if (offer.units == 0) continue;
    double value = 0;
    ++place;
    if (offer.worth > 0) {
      AddToTree(worth_tree_, rank_[e], offer.units * offer.worth);
      AddToTree(weight_tree_, rank_[e], offer.units * offer.weight);
      value = fill(limits_[e]);
    } else if (points != nullptr) {
      double room = limits_[e] - offer.weight;
      value = room >= 0 ? offer.worth + fill(room) : -kNoLimit;
    }
    if (offer.worth > 0 && value > result.bound) {
      result.bound = value;
      at = limits_[e];
    }
    if (points != nullptr && value + extra_ > least) {
      points->push_back({.limit = limits_[e],
                         .offer = e,
                         .place = place - 1,
                         .bound = value + extra_});
    }
  }
  result.bound += extra_;
  if (points == nullptr) result.slack = SlackAt(cone, at);
  return result;
}

std::vector<double> ConeBounds::SlackAt(const PressureCone& cone,
                                        double limit) const {
  size_t sides = cone.low.size();
  std::vector<double> slack(2 * sides + resources_);
  for (size_t r = 0; r < resources_; ++r) slack[2 * sides + r] = 1;
  double room = limit;
  for (size_t e : by_ratio_) {
    const Offer& offer = offers_[e];
    if (offer.worth <= 0 || room <= 0) break;
    if (limits_[e] < limit) continue;
    double units = offer.units;
    if (offer.weight > 0) units = std::min(units, room / offer.weight);
    room -= units * offer.weight;
    const double* pressure = table_.pressure.data() + offer.item * pressures_;
    for (size_t d = 0; d < sides; ++d) {
      slack[d] += units * (pressure[d] - cone.low[d] * offer.weight);
      slack[sides + d] += units * (cone.high[d] * offer.weight - pressure[d]);
    }
    for (size_t r = 0; r < resources_; ++r) {
      double use = table_.LoadOf(offer.item)[r];
      if (use > 0) slack[2 * sides + r] -= units * use / table_.capacity[r];
    }
  }
  return slack;
}

void ConeBounds::Bound(PressureCone& cone) {
  FindLimits(cone);
  cone.bound = Evaluate(cone, cone.prices, nullptr, 0).bound;
}

void ConeBounds::Exclude(size_t item) {
  for (Offer& offer : offers_) {
    if (offer.item == item) offer.units = 0;
  }
}

void ConeBounds::Tighten(PressureCone& cone, double aim) {
  FindLimits(cone);
  Evaluation best = Evaluate(cone, cone.prices, nullptr, 0);
  double profit = 0;
  double weight = 0;
  for (const Offer& offer : offers_) {
    profit += offer.units * std::max(offer.profit, 0.0);
    weight += offer.units * offer.weight;
  }
  size_t sides = cone.low.size();
  // Many offers make an evaluation expensive and prices less critical.
  bool many = offers_.size() > kManyOffers;
  int passes = many ? 1 : 2;
  int moves = many ? 2 : 4;
  std::vector<double> units(cone.prices.size());
  for (size_t c = 0; c < units.size(); ++c) {
    units[c] = c < 2 * sides ? (weight > 0 ? 0.2 * profit / weight : 0)
                             : 0.05 * best.bound;
  }
  for (int pass = 0; pass < passes; ++pass) {
    for (size_t c = 0; c < cone.prices.size(); ++c) {
      double step =
          std::max(0.3 * cone.prices[c], pass == 0 ? units[c] : units[c] / 8);
      for (int move = 0; move < moves && step > 0; ++move) {
        bool up = best.slack[c] < -kSlackRounding;
        if (!up && cone.prices[c] == 0) break;
        std::vector<double> prices = cone.prices;
        prices[c] = up ? prices[c] + step : std::max(0.0, prices[c] - step);
        Evaluation next = Evaluate(cone, prices, nullptr, 0);
        if (next.bound < best.bound) {
          bool same = (next.slack[c] < -kSlackRounding) == up;
          step *= same ? 2 : 0.5;
          best = std::move(next);
          cone.prices = std::move(prices);
        } else {
          step *= 0.3;
        }
      }
    }
  }
  cone.bound = best.bound;
  cone.tight = true;
  if (!many && units.size() > 1) {
    Descend(cone, units, aim, std::move(best));
  }
}

// Polyak's steps (1969), because the bound has edges on which no coordinate
// alone improves it. `units` scale the prices.
void ConeBounds::Descend(PressureCone& cone, const std::vector<double>& units,
                         double aim, Evaluation best) {
  std::vector<double> prices = cone.prices;
  Evaluation now = std::move(best);
  double reach = 1;
  for (int step = 0; step < kDescents && cone.bound > aim; ++step) {
    double square = 0;
    std::vector<double> direction(prices.size());
    for (size_t c = 0; c < prices.size(); ++c) {
      if (prices[c] == 0 && now.slack[c] > 0) continue;
      direction[c] = -units[c] * units[c] * now.slack[c];
      square -= direction[c] * now.slack[c];
    }
    if (square <= kSlackRounding) break;
    double length = reach * (now.bound - aim) / square;
    for (size_t c = 0; c < prices.size(); ++c) {
      prices[c] = std::max(0.0, prices[c] + length * direction[c]);
    }
    now = Evaluate(cone, prices, nullptr, 0);
    if (now.bound < cone.bound) {
      cone.bound = now.bound;
      cone.prices = prices;
    } else {
      reach *= 0.7;
    }
  }
}

std::vector<ConePoint> ConeBounds::Sweep(const PressureCone& cone,
                                         double least) {
  FindLimits(cone);
  std::vector<ConePoint> points;
  Evaluate(cone, cone.prices, &points, least);
  std::ranges::sort(points, [](const ConePoint& a, const ConePoint& b) {
    return a.bound != b.bound ? a.bound > b.bound : a.offer < b.offer;
  });
  return points;
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
