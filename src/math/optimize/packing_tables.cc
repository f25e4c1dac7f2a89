#include "optimize/packing_tables.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "optimize/packing_worth.h"
#include "support/check.h"

namespace mete {
namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

// The bound with its tolerance.
double Widened(double bound) {
  return bound + kPackingTolerance * std::abs(bound);
}

// A row with its largest weight scaled to 1, so that rows of different items
// that differ by a factor share a load. All weights 0 if the row is constant.
PressureRow Normalized(const PressureRow& row) {
  PressureRow normal = row;
  double largest = 0;
  for (double weight : row.weights) largest = std::max(largest, weight);
  if (largest == 0) return normal;
  for (double& weight : normal.weights) {
    // Rounded, because weights / largest differ in the last digits.
    weight = std::round(weight / largest * 1e12) / 1e12;
  }
  normal.bound = row.bound / largest;
  return normal;
}

// Copies of each item by type and number of the bin.
using Previous = std::map<std::pair<size_t, size_t>, std::map<size_t, int>>;

// Copies whose moves cost something.
Previous DearToMove(const PackingProblem& problem) {
  Previous kept;
  for (const PackedBin& bin : problem.previous.bins) {
    if (bin.type >= problem.types.size()) continue;
    if (bin.number >= problem.types[bin.type].count) continue;
    for (const Copies& copies : bin.contents) {
      if (copies.item >= problem.items.size() || copies.count == 0) continue;
      if (problem.items[copies.item].move_cost <= 0) continue;
      kept[{bin.type, bin.number}][copies.item] += copies.count;
    }
  }
  return kept;
}

}  // namespace

PackingTables::PackingTables(const PackingProblem& problem)
    : problem_(&problem) {
  MakeItems();
  for (size_t k = 0; k < problem.types.size(); ++k) {
    tables_.push_back(MakeTable(k));
    bins_ += problem.types[k].count;
  }
  MakeClasses();
  ExcludeHopeless();
}

void PackingTables::MakeItems() {
  std::vector<double> scores = ScoreOfItems(*problem_);
  for (size_t i = 0; i < problem_->items.size(); ++i) {
    const Item& item = problem_->items[i];
    items_.push_back({.score = scores[i],
                      .units = item.splits ? item.copies : 1,
                      .copies_per_unit = item.splits ? 1 : item.copies,
                      .move_cost = item.move_cost,
                      .groups = item.groups});
  }
}

LoadTable PackingTables::MakeTable(size_t type) const {
  const PackingProblem& problem = *problem_;
  std::map<std::vector<double>, size_t> index;
  LoadTable table;
  std::vector<std::vector<std::pair<size_t, double>>> limits(items_.size());
  std::vector<bool> never(items_.size());
  for (size_t i = 0; i < items_.size(); ++i) {
    const auto& on = problem.items[i].on[type];
    never[i] = !on;
    if (!on) continue;
    for (const PressureRow& given : on->rows) {
      PressureRow row = Normalized(given);
      if (row.bound < 0) never[i] = true;
      if (row.bound == kUnlimited || row.bound < 0) continue;
      if (std::ranges::all_of(row.weights, [](double w) { return w == 0; })) {
        continue;
      }
      auto [place, is_new] = index.emplace(row.weights, index.size());
      if (is_new) table.directions.push_back(row.weights);
      limits[i].push_back({place->second, Widened(row.bound)});
    }
  }
  size_t resources = problem.resources;
  table.loads = resources + table.directions.size();
  table.capacity.assign(table.loads, kUnlimited);
  for (size_t r = 0; r < resources; ++r) {
    table.capacity[r] = Widened(problem.types[type].capacity[r]);
  }
  table.load.assign(items_.size() * table.loads, 0);
  table.limit.assign(items_.size() * table.loads, kUnlimited);
  table.pressure.assign(items_.size() * problem.pressures, 0);
  table.most.assign(items_.size(), 0);
  table.cost.assign(items_.size(), 0);
  for (size_t i = 0; i < items_.size(); ++i) {
    if (never[i]) continue;
    const ItemOnType& on = *problem.items[i].on[type];
    double unit = items_[i].copies_per_unit;
    double* load = table.load.data() + i * table.loads;
    double* limit = table.limit.data() + i * table.loads;
    double* pressure = table.pressure.data() + i * problem.pressures;
    for (size_t r = 0; r < resources; ++r) load[r] = unit * on.use[r];
    for (size_t d = 0; d < problem.pressures; ++d) {
      pressure[d] = unit * on.pressure[d];
    }
    for (size_t m = 0; m < table.directions.size(); ++m) {
      for (size_t d = 0; d < problem.pressures; ++d) {
        load[resources + m] += table.directions[m][d] * pressure[d];
      }
    }
    for (auto [m, bound] : limits[i]) {
      limit[resources + m] = std::min(limit[resources + m], bound);
    }
    table.cost[i] = unit * on.copy_cost;
    table.most[i] = MostUnits(table, type, i);
  }
  return table;
}

int PackingTables::MostUnits(const LoadTable& table, size_t type,
                             size_t item) const {
  const Item& given = problem_->items[item];
  const TableItem& packed = items_[item];
  int most = packed.units;
  if (given.most_per_bin) {
    most = std::min(most, *given.most_per_bin / packed.copies_per_unit);
  }
  auto fits = [&](int units) {
    for (size_t m = 0; m < table.loads; ++m) {
      double limit = std::min(table.capacity[m], table.LimitOf(item)[m]);
      if (units * table.LoadOf(item)[m] > limit) return false;
    }
    if (problem_->oracle == nullptr || !problem_->oracle->monotone()) {
      return true;
    }
    Copies copies{.item = item, .count = units * packed.copies_per_unit};
    return problem_->oracle->Allows(type, {&copies, 1});
  };
  while (most > 0 && !fits(most)) --most;
  return most;
}

void PackingTables::MakeClasses() {
  const Previous before = DearToMove(*problem_);
  std::map<size_t, int> copies_before;
  for (size_t k = 0; k < problem_->types.size(); ++k) {
    const BinType& type = problem_->types[k];
    BinClass rest{.type = k, .open_cost = type.open_cost};
    for (size_t number = 0; number < type.count; ++number) {
      auto found = before.find({k, number});
      if (found == before.end()) {
        rest.numbers.push_back(number);
        continue;
      }
      BinClass single{
          .type = k, .numbers = {number}, .open_cost = type.open_cost};
      for (auto [item, count] : found->second) {
        copies_before[item] += count;
        // Only an item that may still run here can stay.
        if (!problem_->items[item].on[k]) continue;
        single.residents.push_back({item, count});
      }
      if (single.residents.empty()) {
        rest.numbers.push_back(number);
      } else {
        classes_.push_back(std::move(single));
      }
    }
    if (rest.count() > 0) classes_.push_back(std::move(rest));
  }
  // Whoever is placed pays for all moves; those who stay get it back.
  for (auto [i, count] : copies_before) {
    items_[i].score -=
        items_[i].move_cost * std::min(count, problem_->items[i].copies);
  }
}

// Items of which the bins together cannot hold all units.
void PackingTables::ExcludeHopeless() {
  for (size_t i = 0; i < items_.size(); ++i) {
    double room = 0;
    for (const BinClass& bins : classes_) {
      room += static_cast<double>(bins.count()) * tables_[bins.type].most[i];
    }
    if (room >= items_[i].units) continue;
    for (LoadTable& table : tables_) table.most[i] = 0;
  }
}

int PackingTables::StayingCopies(size_t bin_class, size_t item) const {
  for (const Copies& copies : classes_[bin_class].residents) {
    if (copies.item == item) return copies.count;
  }
  return 0;
}

double PackingTables::SavedBy(size_t bin_class, Units units) const {
  const TableItem& item = items_[units.item];
  int copies = units.count * item.copies_per_unit;
  return item.move_cost *
         std::min(copies, StayingCopies(bin_class, units.item));
}

double PackingTables::CostOf(const Pattern& pattern) const {
  if (pattern.contents.empty()) return 0;
  const BinClass& bins = classes_[pattern.bin_class];
  double cost = bins.open_cost;
  for (const Units& units : pattern.contents) {
    cost += units.count * tables_[bins.type].cost[units.item];
    if (!bins.residents.empty()) cost -= SavedBy(pattern.bin_class, units);
  }
  return cost;
}

bool PackingTables::MustBeExact(size_t item) const {
  return items_[item].move_cost > 0 ||
         (problem_->oracle != nullptr && !problem_->oracle->monotone());
}

bool PackingTables::FitsSomewhere(size_t item) const {
  return std::ranges::any_of(classes_, [&](const BinClass& bins) {
    return tables_[bins.type].most[item] > 0;
  });
}

bool PackingTables::OracleAllows(const Pattern& pattern) const {
  if (problem_->oracle == nullptr || pattern.contents.empty()) return true;
  std::vector<Copies> contents;
  for (const Units& units : pattern.contents) {
    contents.push_back(
        {units.item, units.count * items_[units.item].copies_per_unit});
  }
  return problem_->oracle->Allows(classes_[pattern.bin_class].type, contents);
}

PackingPlan PlanOf(const PackingTables& tables, Patterns patterns) {
  std::ranges::sort(patterns);
  std::vector<size_t> used(tables.classes().size());
  PackingPlan plan;
  for (const Pattern& pattern : patterns) {
    if (pattern.contents.empty()) continue;
    const BinClass& bins = tables.classes()[pattern.bin_class];
    size_t next = used[pattern.bin_class]++;
    CHECK(next < bins.count()) << "more patterns than bins";
    PackedBin bin{.type = bins.type, .number = bins.numbers[next]};
    for (const Units& units : pattern.contents) {
      bin.contents.push_back(
          {units.item, units.count * tables.item(units.item).copies_per_unit});
    }
    plan.bins.push_back(std::move(bin));
  }
  std::ranges::sort(plan.bins);
  return plan;
}

}  // namespace mete
