#include "optimize/fill_bin.h"

#include <algorithm>

#include "optimize/knapsack_table.h"

namespace mete {
namespace {

// Differences of profits below this are rounding errors.
constexpr double kSmall = 1e-9;

// In the order of the items, each listed once.
Pattern Merged(const Pattern& pattern) {
  Pattern merged{.bin_class = pattern.bin_class};
  std::vector<Units> contents = pattern.contents;
  std::ranges::sort(contents);
  for (const Units& units : contents) {
    if (!merged.contents.empty() && merged.contents.back().item == units.item) {
      merged.contents.back().count += units.count;
    } else {
      merged.contents.push_back(units);
    }
  }
  return merged;
}

}  // namespace

SortedOffers::SortedOffers(std::vector<Offer> offers, double capacity)
    : offers_(std::move(offers)), capacity_(capacity * (1 + kSmall)) {
  auto ratio = [](const Offer& offer) {
    return offer.worth / std::max(offer.weight, 1e-300);
  };
  std::ranges::stable_sort(offers_, [&](const Offer& a, const Offer& b) {
    return ratio(a) > ratio(b);
  });
  worth_before_.push_back(0);
  weight_before_.push_back(0);
  for (const Offer& offer : offers_) {
    double units = offer.worth > 0 ? offer.units : 0;
    worth_before_.push_back(worth_before_.back() + units * offer.worth);
    weight_before_.push_back(weight_before_.back() + units * offer.weight);
  }
}

double SortedOffers::Rest(size_t e, double room) const {
  double end = weight_before_[e] + room;
  auto after = std::upper_bound(weight_before_.begin() + static_cast<long>(e),
                                weight_before_.end(), end);
  size_t k = static_cast<size_t>(after - weight_before_.begin());
  if (k == e) return 0;  // no room, up to rounding
  --k;                   // offers before k fit
  double worth = worth_before_[k] - worth_before_[e];
  if (k < offers_.size() && offers_[k].weight > 0 && offers_[k].worth > 0) {
    worth += (end - weight_before_[k]) / offers_[k].weight * offers_[k].worth;
  }
  return worth;
}

BinFiller::BinFiller(const PackingTables& tables, const PricingRequest& request)
    : tables_(tables),
      table_(tables.table(request.bin_class)),
      request_(request),
      pattern_{.bin_class = request.bin_class},
      load_(table_.loads),
      limit_(table_.capacity),
      best_(request.least),
      pruned_(request.least) {
  constant_ = -tables.classes()[request.bin_class].open_cost;
  for (const Feature& feature : request.features) {
    constant_ += std::max(0.0, feature.bonus);
  }
}

double BinFiller::BonusOf() const {
  double bonus = 0;
  for (const Feature& feature : request_.features) {
    if (feature.MetBy(pattern_.contents)) bonus += feature.bonus;
  }
  return bonus;
}

void BinFiller::Record(double profit) {
  double total =
      profit + BonusOf() - tables_.classes()[request_.bin_class].open_cost;
  if (total <= request_.least + kSmall) return;
  if (kept_.size() == request_.most_patterns && total <= kept_.back().profit) {
    return;
  }
  const ContentOracle* oracle = tables_.problem().oracle;
  if (oracle != nullptr && !oracle->monotone() &&
      !tables_.OracleAllows(Merged(pattern_))) {
    return;
  }
  PricedPattern priced{.profit = total, .pattern = Merged(pattern_)};
  // Residents may be counted as if they moved: then the same contents come
  // again with the higher profit.
  auto same = std::ranges::find_if(kept_, [&](const PricedPattern& other) {
    return other.pattern == priced.pattern;
  });
  if (same != kept_.end()) {
    if (same->profit >= total) return;
    kept_.erase(same);
  }
  best_ = std::max(best_, total);
  auto place = std::ranges::find_if(
      kept_, [&](const PricedPattern& other) { return other.profit < total; });
  kept_.insert(place, std::move(priced));
  if (kept_.size() > request_.most_patterns) kept_.pop_back();
}

int BinFiller::MostUnits(const Offer& offer) const {
  for (const Units& present : pattern_.contents) {
    // Residents make two offers of an item; their units are added elsewhere.
    if (present.item == offer.item) {
      return std::min(offer.units, table_.most[offer.item] - present.count);
    }
  }
  for (size_t group : tables_.item(offer.item).groups) {
    if (std::ranges::find(groups_, group) != groups_.end()) return 0;
  }
  return offer.units;
}

bool BinFiller::Include(Units units) {
  size_t loads = table_.loads;
  if (load_.size() < (level_ + 2) * loads) {
    load_.resize(2 * (level_ + 2) * loads);
    limit_.resize(2 * (level_ + 2) * loads);
  }
  const double* load = load_.data() + level_ * loads;
  const double* limit = limit_.data() + level_ * loads;
  double* next_load = load_.data() + (level_ + 1) * loads;
  double* next_limit = limit_.data() + (level_ + 1) * loads;
  const double* added = table_.load.data() + units.item * loads;
  const double* bound = table_.limit.data() + units.item * loads;
  double count = units.count;
  int over = 0;
  for (size_t m = 0; m < loads; ++m) {
    next_load[m] = load[m] + count * added[m];
    next_limit[m] = std::min(limit[m], bound[m]);
    over |= static_cast<int>(next_load[m] > next_limit[m]);
  }
  if (over != 0) return false;
  pattern_.contents.push_back(units);
  if (tables_.problem().oracle != nullptr &&
      tables_.problem().oracle->monotone() &&
      !tables_.OracleAllows(Merged(pattern_))) {
    pattern_.contents.pop_back();
    return false;
  }
  const auto& groups = tables_.item(units.item).groups;
  groups_.insert(groups_.end(), groups.begin(), groups.end());
  ++level_;
  return true;
}

void BinFiller::Undo() {
  const auto& groups = tables_.item(pattern_.contents.back().item).groups;
  groups_.resize(groups_.size() - groups.size());
  pattern_.contents.pop_back();
  --level_;
}

void BinFiller::UndoAll() {
  while (level_ > 0) Undo();
}

void BinFiller::FillGreedily(const SortedOffers& offers, const Offer& first) {
  double profit = 0;
  if (first.profit > 0 && Include({first.item, 1})) profit += first.profit;
  for (size_t e = 0; e < offers.size(); ++e) {
    if (offers[e].profit <= 0) continue;
    int units = MostUnits(offers[e]);
    while (units > 0 && !Include({offers[e].item, units})) --units;
    profit += std::max(units, 0) * offers[e].profit;
  }
  // What is left of the first offer, if there is room.
  Offer rest = first;
  int units = first.profit > 0 ? std::min(first.units - 1, MostUnits(rest)) : 0;
  while (units > 0 && !Include({rest.item, units})) --units;
  profit += std::max(units, 0) * first.profit;
  if (level_ > 0) Record(profit);
  UndoAll();
}

// Adds what fits besides the contents, and returns its profit.
double BinFiller::FillUp(const SortedOffers& offers, size_t without) {
  double profit = 0;
  for (size_t e = 0; e < offers.size(); ++e) {
    const Offer& offer = offers[e];
    if (offer.profit <= 0 || offer.item == without) continue;
    int units = MostUnits(offer);
    while (units > 0 && !Include({offer.item, units})) --units;
    profit += std::max(units, 0) * offer.profit;
  }
  return profit;
}

void BinFiller::Exchange(const SortedOffers& offers) {
  std::vector<double> profits(tables_.size());
  for (size_t e = 0; e < offers.size(); ++e) {
    profits[offers[e].item] = offers[e].profit;
  }
  bool better = !kept_.empty();
  while (better && !OutOfTime()) {
    better = false;
    double before = best_;
    const std::vector<Units> contents = kept_[0].pattern.contents;
    for (const Units& out : contents) {
      for (int count : {1, out.count}) {
        double profit = 0;
        for (Units units : contents) {
          if (units.item == out.item) units.count -= count;
          if (units.count > 0 && Include(units)) {
            profit += units.count * profits[units.item];
          }
        }
        profit += FillUp(offers, out.item);
        if (profit + constant_ > best_ + kSmall) Record(profit);
        UndoAll();
        if (out.count == 1) break;
      }
    }
    better = best_ > before + kSmall;
  }
}

bool BinFiller::Search(const SortedOffers& offers, const Offer& first,
                       double extra, size_t most_steps) {
  last_step_ = steps_ + most_steps;
  extra_ = extra;
  bool whole = true;
  for (int units = first.units; units > 0 && whole; --units) {
    Sums sums{units * first.profit, units * first.worth, units * first.weight};
    if (sums.weight > offers.capacity()) continue;
    double rest = offers.Rest(0, offers.capacity() - sums.weight);
    if (Hopeless(sums.worth + rest) || !Include({first.item, units})) continue;
    whole = Visit(offers, 0, sums);
    UndoAll();
  }
  return whole;
}

bool BinFiller::OutOfTime() const {
  return request_.limits != nullptr && request_.limits->Over();
}

bool BinFiller::Prune(double profit) {
  if (profit > best_ + request_.tolerance + kSmall) return false;
  pruned_ = std::max(pruned_, profit);
  return true;
}

bool BinFiller::Hopeless(double worth) {
  return Prune(worth + extra_ + constant_);
}

// The contents so far are `pattern_`; offers before `next` are decided.
bool BinFiller::Visit(const SortedOffers& offers, size_t next,
                      const Sums& sums) {
  if (++steps_ > last_step_) return false;
  // Asking for the time costs more than a step.
  if (steps_ % 1024 == 0 && OutOfTime()) return false;
  if (sums.profit + constant_ > best_ + kSmall) Record(sums.profit);
  double room = offers.capacity() - sums.weight;
  for (size_t e = next; e < offers.size(); ++e) {
    if (Hopeless(sums.worth + offers.Rest(e, room))) return true;
    const Offer& offer = offers[e];
    for (int units = MostUnits(offer); units > 0; --units) {
      Sums more{sums.profit + units * offer.profit,
                sums.worth + units * offer.worth,
                sums.weight + units * offer.weight};
      double left = offers.capacity() - more.weight;
      if (left < 0) continue;
      if (Hopeless(more.worth + offers.Rest(e + 1, left))) {
        if (offer.worth > 0) break;  // fewer units bring less
        continue;
      }
      if (!Include({offer.item, units})) {
        if (++steps_ > last_step_) return false;
        continue;
      }
      if (!Visit(offers, e + 1, more)) return false;
      Undo();
    }
  }
  return true;
}

bool BinFiller::SearchTable(const TableSearch& search, size_t place,
                            double limit, size_t most_steps) {
  last_step_ = steps_ + most_steps;
  extra_ = search.extra;
  bool whole = true;
  const Offer& first = search.offers[place];
  for (int units = first.units; units > 0 && whole; --units) {
    Sums sums{units * first.profit, units * first.worth, units * first.weight};
    double room = limit - sums.weight;
    if (room < 0) continue;
    if (Hopeless(sums.worth + search.table.Best(place, room)) ||
        !Include({first.item, units})) {
      continue;
    }
    whole = VisitTable(search, place, sums, room);
    UndoAll();
  }
  return whole;
}

// The first `left` offers are undecided. What the table promises most for comes
// first, so that the first contents are the best ones of the table.
bool BinFiller::VisitTable(const TableSearch& search, size_t left,
                           const Sums& sums, double room) {
  if (++steps_ > last_step_) return false;
  if (steps_ % 1024 == 0 && OutOfTime()) return false;
  if (sums.profit + constant_ > best_ + kSmall) Record(sums.profit);
  if (left == 0) return true;
  const Offer& offer = search.offers[left - 1];
  auto promise = [&](int units) {
    return sums.worth + units * offer.worth +
           search.table.Best(left - 1, room - units * offer.weight);
  };
  auto visit = [&](int units) {
    if (Hopeless(promise(units))) return true;
    if (units == 0) return VisitTable(search, left - 1, sums, room);
    if (!Include({offer.item, units})) return true;
    Sums more{sums.profit + units * offer.profit,
              sums.worth + units * offer.worth,
              sums.weight + units * offer.weight};
    bool whole =
        VisitTable(search, left - 1, more, room - units * offer.weight);
    if (whole) Undo();
    return whole;
  };
  int most = MostUnits(offer);
  int first = 0;
  for (int units = 1; units <= most; ++units) {
    if (promise(units) > promise(first)) first = units;
  }
  if (!visit(first)) return false;
  for (int units = most; units >= 0; --units) {
    if (units != first && !visit(units)) return false;
  }
  return true;
}

std::vector<PricedPattern> BinFiller::TakePatterns() && {
  return std::move(kept_);
}

bool Feature::MetBy(const std::vector<Units>& contents) const {
  return std::ranges::all_of(at_least, [&](const Units& wanted) {
    int count = 0;
    for (const Units& units : contents) {
      if (units.item == wanted.item) count += units.count;
    }
    return count >= wanted.count;
  });
}

}  // namespace mete
