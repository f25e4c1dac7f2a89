#include "optimize/bin_state.h"

#include <algorithm>

#include "support/check.h"

namespace mete {

BinState::BinState(const PackingTables& tables, size_t bin_class)
    : tables_(&tables),
      table_(&tables.table(bin_class)),
      pattern_{.bin_class = bin_class},
      load_(table_->loads),
      limit_(table_->capacity) {}

Pattern BinState::ToPattern() const {
  Pattern sorted = pattern_;
  std::ranges::sort(sorted.contents);
  return sorted;
}

int BinState::CountOf(size_t item) const {
  for (const Units& units : pattern_.contents) {
    if (units.item == item) return units.count;
  }
  return 0;
}

bool BinState::Fits(Units units) const {
  int present = CountOf(units.item);
  if (present + units.count > table_->most[units.item]) return false;
  const double* load = table_->load.data() + units.item * table_->loads;
  const double* limit = table_->limit.data() + units.item * table_->loads;
  double count = units.count;
  // Without a branch per load, so that the compiler can vectorize.
  constexpr size_t kBatch = 8;
  size_t loads = table_->loads;
  for (size_t begin = 0; begin < loads; begin += kBatch) {
    size_t end = std::min(loads, begin + kBatch);
    int over = 0;
    for (size_t m = begin; m < end; ++m) {
      double sum = load_[m] + count * load[m];
      over |=
          static_cast<int>(sum > limit_[m]) | static_cast<int>(sum > limit[m]);
    }
    if (over != 0) return false;
  }
  if (present == 0 && !groups_.empty()) {
    for (size_t group : tables_->item(units.item).groups) {
      if (std::ranges::find(groups_, group) != groups_.end()) return false;
    }
  }
  if (tables_->problem().oracle == nullptr) return true;
  BinState with = *this;
  with.Add(units);
  return tables_->OracleAllows(with.ToPattern());
}

int BinState::MostThatFit(Units units) const {
  int most =
      std::min(units.count, table_->most[units.item] - CountOf(units.item));
  while (most > 0 && !Fits({units.item, most})) --most;
  return std::max(most, 0);
}

void BinState::ApplyLimits(size_t item) {
  const double* limit = table_->limit.data() + item * table_->loads;
  for (size_t m = 0; m < load_.size(); ++m) {
    limit_[m] = std::min(limit_[m], limit[m]);
  }
}

void BinState::Add(Units units) {
  const double* load = table_->load.data() + units.item * table_->loads;
  for (size_t m = 0; m < load_.size(); ++m) load_[m] += units.count * load[m];
  for (Units& present : pattern_.contents) {
    if (present.item == units.item) {
      present.count += units.count;
      return;
    }
  }
  pattern_.contents.push_back(units);
  ApplyLimits(units.item);
  const auto& groups = tables_->item(units.item).groups;
  groups_.insert(groups_.end(), groups.begin(), groups.end());
}

// Sums start again from 0, so that rounding errors do not pile up.
void BinState::Remove(Units units) {
  auto present = std::ranges::find_if(
      pattern_.contents, [&](const Units& u) { return u.item == units.item; });
  CHECK(present != pattern_.contents.end() && present->count >= units.count);
  present->count -= units.count;
  if (present->count == 0) pattern_.contents.erase(present);
  std::vector<Units> contents = std::move(pattern_.contents);
  Clear();
  for (const Units& left : contents) Add(left);
}

void BinState::Clear() {
  pattern_.contents.clear();
  std::ranges::fill(load_, 0);
  limit_ = table_->capacity;
  groups_.clear();
}

double BinState::ExtraCost(Units units) const {
  const BinClass& bins = tables_->classes()[pattern_.bin_class];
  double cost = units.count * table_->cost[units.item];
  if (empty()) cost += bins.open_cost;
  if (!bins.residents.empty()) {
    int present = CountOf(units.item);
    cost -= tables_->SavedBy(pattern_.bin_class,
                             {units.item, present + units.count}) -
            tables_->SavedBy(pattern_.bin_class, {units.item, present});
  }
  return cost;
}

double BinState::Fullness() const {
  double most = 0;
  for (size_t m = 0; m < load_.size(); ++m) {
    if (limit_[m] > 0) most = std::max(most, load_[m] / limit_[m]);
  }
  return most;
}

}  // namespace mete
