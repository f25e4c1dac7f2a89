#include "optimize/bin_program.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace mete {
namespace {

// More rows of prices slow every step of the solver and add little.
constexpr size_t kMostPrices = 12;
constexpr double kSafety = 1e-7;

// Whether contents with these limits of their own bound a load: rows r with
// weights >= k * direction give direction . p <= b_r / k.
double BoundBy(const std::vector<double>& direction,
               const std::vector<double>& row, double limit) {
  double most = 0;
  for (size_t d = 0; d < direction.size(); ++d) {
    if (direction[d] <= 0) continue;
    if (row[d] <= 0) return kInfiniteBound;
    most = std::max(most, direction[d] / row[d]);
  }
  return limit * most;
}

}  // namespace

BinProgram::BinProgram(const PackingTables& tables,
                       std::vector<PricedBound> bounds, BinGrouping grouping)
    : tables_(tables) {
  std::ranges::stable_sort(bounds, {}, &PricedBound::first);
  if (bounds.size() > kMostPrices) bounds.resize(kMostPrices);
  AddItems();
  for (size_t c = 0; c < tables.classes().size(); ++c) {
    AddBins(c, grouping, bounds);
  }
}

void BinProgram::AddBins(size_t bin_class, BinGrouping grouping,
                         const std::vector<PricedBound>& bounds) {
  size_t count = tables_.classes()[bin_class].count();
  if (grouping == BinGrouping::kTogether) {
    AddBin(bin_class, static_cast<double>(count), bounds);
    return;
  }
  for (size_t b = 0; b < count; ++b) {
    AddBin(bin_class, 1, bounds);
    if (b > 0) AddOrder(bins_[bins_.size() - 2], bins_.back());
  }
}

size_t BinProgram::AddColumn(double objective, double upper, bool integer) {
  program_.columns.push_back({.objective = objective, .upper = upper});
  program_.integer.push_back(integer);
  return program_.columns.size() - 1;
}

size_t BinProgram::AddRow(double lower, double upper) {
  program_.rows.push_back({.lower = lower, .upper = upper});
  return program_.rows.size() - 1;
}

void BinProgram::Set(size_t row, size_t column, double value) {
  if (value != 0) program_.columns[column].rows.push_back({row, value});
}

// All units of an item are placed, or what is there does not count.
void BinProgram::AddItems() {
  for (size_t i = 0; i < tables_.size(); ++i) {
    size_t placed = AddColumn(tables_.item(i).score, 1, true);
    all_units_.push_back(
        AddRow(tables_.MustBeExact(i) ? 0 : -kInfiniteBound, 0));
    Set(all_units_[i], placed, tables_.item(i).units);
  }
}

void BinProgram::AddBin(size_t bin_class, double count,
                        const std::vector<PricedBound>& bounds) {
  const LoadTable& table = tables_.table(bin_class);
  Bin bin{
      .bin_class = bin_class,
      .count = count,
      .open = AddColumn(-tables_.classes()[bin_class].open_cost, count, true),
      .units = std::vector<std::optional<size_t>>(tables_.size()),
      .present = std::vector<std::optional<size_t>>(tables_.size())};
  for (size_t i = 0; i < tables_.size(); ++i) {
    if (table.most[i] > 0) AddUnits(bin, i);
  }
  AddSavings(bin);
  for (size_t m = 0; m < table.loads; ++m) AddLoad(bin, m);
  AddGroups(bin);
  for (const PricedBound& bound : bounds) AddPrices(bin, bound);
  bins_.push_back(std::move(bin));
}

void BinProgram::AddUnits(Bin& bin, size_t item) {
  const LoadTable& table = tables_.table(bin.bin_class);
  double most = table.most[item];
  double all = std::min<double>(most * bin.count, tables_.item(item).units);
  size_t units = AddColumn(-table.cost[item], all, true);
  size_t present = AddColumn(0, bin.count, true);
  Set(all_units_[item], units, -1);
  size_t only_if_present = AddRow(-kInfiniteBound, 0);
  Set(only_if_present, units, 1);
  Set(only_if_present, present, -most);
  if (tables_.classes()[bin.bin_class].open_cost > 0) {
    size_t only_if_open = AddRow(-kInfiniteBound, 0);
    Set(only_if_open, present, 1);
    Set(only_if_open, bin.open, -1);
  }
  bin.units[item] = units;
  bin.present[item] = present;
}

// Copies that stay where the previous plan had them cost nothing.
void BinProgram::AddSavings(Bin& bin) {
  savings_.clear();
  for (const Copies& copies : tables_.classes()[bin.bin_class].residents) {
    if (!bin.units[copies.item]) continue;
    const TableItem& item = tables_.item(copies.item);
    size_t stay = AddColumn(item.move_cost, copies.count, false);
    size_t at_most_units = AddRow(-kInfiniteBound, 0);
    Set(at_most_units, stay, 1);
    Set(at_most_units, *bin.units[copies.item], -item.copies_per_unit);
    savings_.push_back({stay, item.move_cost});
  }
}

// No contents of the class have more of a load. Every item that is present
// bounds every load, by its own rows.
double BinProgram::MostLoad(size_t bin_class, size_t load) const {
  const LoadTable& table = tables_.table(bin_class);
  size_t resources = table.loads - table.directions.size();
  double all = 0;
  double most = 0;
  for (size_t i = 0; i < tables_.size(); ++i) {
    if (table.most[i] == 0) continue;
    all += table.most[i] * table.LoadOf(i)[load];
    double limit = table.LimitOf(i)[load];
    for (size_t m = resources; load >= resources && m < table.loads; ++m) {
      if (table.LimitOf(i)[m] >= kInfiniteBound) continue;
      limit = std::min(
          limit, BoundBy(table.directions[load - resources],
                         table.directions[m - resources], table.LimitOf(i)[m]));
    }
    most = std::max(most, limit);
  }
  return std::min({all, most, table.capacity[load]});
}

// load <= most - sum of steps, where the steps below the limit of an item that
// is present are taken: a ladder of limits instead of one large constant for
// each item.
void BinProgram::AddLoad(const Bin& bin, size_t load) {
  const LoadTable& table = tables_.table(bin.bin_class);
  double most = MostLoad(bin.bin_class, load);
  std::vector<Limit> limits;
  double all = 0;
  for (size_t i = 0; i < tables_.size(); ++i) {
    if (!bin.units[i]) continue;
    all += table.most[i] * table.LoadOf(i)[load];
    double limit = table.LimitOf(i)[load];
    if (limit < most) limits.push_back({limit, i});
  }
  if (all <= most && limits.empty()) return;
  size_t row = AddRow(-kInfiniteBound, most * bin.count);
  for (size_t i = 0; i < tables_.size(); ++i) {
    if (bin.units[i]) Set(row, *bin.units[i], table.LoadOf(i)[load]);
  }
  std::ranges::stable_sort(limits, {}, &Limit::value);
  std::optional<size_t> below;
  for (size_t k = 0; k < limits.size();) {
    size_t step = AddColumn(0, bin.count, true);
    double value = limits[k].value;
    for (; k < limits.size() && limits[k].value == value; ++k) {
      size_t taken = AddRow(-kInfiniteBound, 0);
      Set(taken, *bin.present[limits[k].item], 1);
      Set(taken, step, -1);
    }
    if (below) {
      size_t also = AddRow(-kInfiniteBound, 0);
      Set(also, *below, 1);
      Set(also, step, -1);
    }
    below = step;
    Set(row, step, (k < limits.size() ? limits[k].value : most) - value);
  }
}

void BinProgram::AddGroups(const Bin& bin) {
  std::map<size_t, size_t> rows;
  for (size_t i = 0; i < tables_.size(); ++i) {
    if (!bin.present[i]) continue;
    for (size_t group : tables_.item(i).groups) {
      auto [place, is_new] = rows.try_emplace(group, 0);
      if (is_new) place->second = AddRow(-kInfiniteBound, bin.count);
      Set(place->second, *bin.present[i], 1);
    }
  }
}

void BinProgram::AddPrices(const Bin& bin, const PricedBound& bound) {
  const LoadTable& table = tables_.table(bin.bin_class);
  double most = bound.second.classes[bin.bin_class];
  size_t row =
      AddRow(-kInfiniteBound, bin.count * (most + kSafety * (1 + most)));
  for (size_t i = 0; i < tables_.size(); ++i) {
    if (!bin.units[i]) continue;
    Set(row, *bin.units[i], bound.second.items[i] - table.cost[i]);
  }
  Set(row, bin.open, -tables_.classes()[bin.bin_class].open_cost);
  for (auto [stay, saved] : savings_) Set(row, stay, saved);
}

// Bins of a class are interchangeable: the fuller one comes first.
void BinProgram::AddOrder(const Bin& before, const Bin& bin) {
  const LoadTable& table = tables_.table(bin.bin_class);
  size_t pressures = tables_.problem().pressures;
  size_t row = AddRow(-kInfiniteBound, 0);
  for (size_t i = 0; i < tables_.size(); ++i) {
    if (!bin.units[i]) continue;
    double sum = 0;
    for (size_t d = 0; d < pressures; ++d) {
      sum += table.pressure[i * pressures + d];
    }
    Set(row, *bin.units[i], sum);
    Set(row, *before.units[i], -sum);
  }
}

void BinProgram::Demand(const std::vector<bool>& placed) {
  for (size_t i = 0; i < tables_.size(); ++i) {
    program_.columns[i].lower = placed[i] ? 1 : 0;
    program_.columns[i].upper = placed[i] ? 1 : 0;
  }
}

void BinProgram::Forbid(const std::vector<bool>& placed) {
  double count = static_cast<double>(std::ranges::count(placed, true));
  size_t row = AddRow(-kInfiniteBound, count - 1);
  for (size_t i = 0; i < tables_.size(); ++i) {
    if (placed[i]) Set(row, i, 1);
  }
}

void BinProgram::ForbidExactly(const std::vector<bool>& placed) {
  double count = static_cast<double>(std::ranges::count(placed, true));
  size_t row = AddRow(-kInfiniteBound, count - 1);
  for (size_t i = 0; i < tables_.size(); ++i) Set(row, i, placed[i] ? 1 : -1);
}

std::vector<bool> BinProgram::PlacedBy(
    const std::vector<double>& values) const {
  std::vector<bool> placed(tables_.size());
  for (size_t i = 0; i < placed.size(); ++i) placed[i] = values[i] > 0.5;
  return placed;
}

Patterns BinProgram::PatternsOf(const std::vector<double>& values) const {
  Patterns patterns;
  for (const Bin& bin : bins_) {
    Pattern pattern{.bin_class = bin.bin_class};
    for (size_t i = 0; i < tables_.size(); ++i) {
      if (!bin.units[i]) continue;
      int count = static_cast<int>(std::lround(values[*bin.units[i]]));
      if (count > 0) pattern.contents.push_back({i, count});
    }
    if (!pattern.contents.empty()) patterns.push_back(std::move(pattern));
  }
  return patterns;
}

}  // namespace mete
