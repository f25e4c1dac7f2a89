#include "optimize/pattern_master.h"

#include <algorithm>
#include <utility>

namespace mete {

double BranchRow::CountOf(const Pattern& pattern) const {
  if (pattern.bin_class != bin_class) return 0;
  if (counted == BranchCount::kBins) {
    return Feature{.at_least = at_least}.MetBy(pattern.contents) ? 1 : 0;
  }
  for (const Units& units : pattern.contents) {
    if (units.item == at_least[0].item) return units.count;
  }
  return 0;
}

PatternMaster::PatternMaster(const PackingTables& tables, const Branch& branch,
                             const PatternPool& pool, LinearProgram program)
    : tables_(&tables),
      branch_(&branch),
      pool_(&pool),
      program_(std::move(program)) {}

Result<PatternMaster> PatternMaster::Create(const PackingTables& tables,
                                            const Branch& branch,
                                            const PatternPool& pool,
                                            double penalty) {
  ASSIGN_OR_RETURN(LinearProgram program, LinearProgram::Create());
  PatternMaster master(tables, branch, pool, std::move(program));
  master.AddFixedPart(penalty);
  return master;
}

// Rows, the columns z and the columns that violate rows of the branch.
void PatternMaster::AddFixedPart(double penalty) {
  const PackingTables& tables = *tables_;
  std::vector<ProgramRow> rows;
  for (size_t i = 0; i < tables.size(); ++i) {
    bool exactly = tables.MustBeExact(i);
    rows.push_back({.lower = exactly ? 0 : -kInfiniteBound, .upper = 0});
  }
  for (const BinClass& bins : tables.classes()) {
    rows.push_back({.upper = static_cast<double>(bins.count())});
  }
  for (const BranchRow& row : branch_->rows) {
    rows.push_back({.lower = row.lower, .upper = row.upper});
  }
  program_.AddRows(rows);
  std::vector<ProgramColumn> columns;
  for (size_t i = 0; i < tables.size(); ++i) {
    Fixing fixing = branch_->items[i];
    columns.push_back(
        {.objective = tables.item(i).score,
         .lower = fixing == Fixing::kIn ? 1.0 : 0.0,
         .upper = fixing == Fixing::kOut ? 0.0 : 1.0,
         .rows = {{i, static_cast<double>(tables.item(i).units)}}});
  }
  slack_begin_ = columns.size();
  for (size_t i = 0; i < tables.size(); ++i) {
    if (branch_->items[i] != Fixing::kIn) continue;
    columns.push_back({.objective = -penalty, .rows = {{i, -1}}});
  }
  size_t first = tables.size() + tables.classes().size();
  for (size_t b = 0; b < branch_->rows.size(); ++b) {
    if (branch_->rows[b].lower <= 0) continue;
    columns.push_back({.objective = -penalty, .rows = {{first + b, 1}}});
  }
  slack_end_ = columns.size();
  program_.AddColumns(columns);
}

// Whether a pattern with units of an item that is out stands for the same
// pattern without them: that is feasible and does not cost more.
bool PatternMaster::CanBeRemoved(size_t item) const {
  return branch_->rows.empty() && !tables_->MustBeExact(item);
}

bool PatternMaster::Include(size_t pattern) {
  if (included_.size() <= pattern) included_.resize(pool_->size());
  if (included_[pattern]) return false;
  included_[pattern] = true;
  patterns_.push_back(pattern);
  return true;
}

void PatternMaster::Update() {
  std::vector<ProgramColumn> columns;
  size_t first = tables_->size() + tables_->classes().size();
  for (; updated_ < patterns_.size(); ++updated_) {
    size_t p = patterns_[updated_];
    const Pattern& pattern = (*pool_)[p];
    ProgramColumn column{.objective = -pool_->cost(p)};
    for (const Units& units : pattern.contents) {
      column.rows.push_back({units.item, -static_cast<double>(units.count)});
      if (branch_->items[units.item] == Fixing::kOut &&
          !CanBeRemoved(units.item)) {
        column.upper = 0;
      }
    }
    column.rows.push_back({tables_->size() + pattern.bin_class, 1});
    for (size_t b = 0; b < branch_->rows.size(); ++b) {
      double count = branch_->rows[b].CountOf(pattern);
      if (count > 0) column.rows.push_back({first + b, count});
    }
    columns.push_back(std::move(column));
  }
  program_.AddColumns(columns);
}

Result<MasterOptimum> PatternMaster::Solve(Seconds limit) {
  ASSIGN_OR_RETURN(LinearOptimum optimum, program_.Maximize(limit));
  size_t items = tables_->size();
  size_t classes = tables_->classes().size();
  MasterOptimum result{.objective = optimum.objective};
  auto cut = [](const std::vector<double>& from, size_t begin, size_t end) {
    return std::vector<double>(from.begin() + static_cast<long>(begin),
                               from.begin() + static_cast<long>(end));
  };
  result.placed = cut(optimum.values, 0, items);
  for (size_t s = slack_begin_; s < slack_end_; ++s) {
    if (optimum.values[s] > 1e-7) result.feasible = false;
  }
  for (size_t k = 0; k < updated_; ++k) {
    double value = optimum.values[slack_end_ + k];
    if (value > 1e-9) result.shares.push_back({patterns_[k], value});
  }
  result.prices.items = cut(optimum.prices, 0, items);
  result.prices.classes = cut(optimum.prices, items, items + classes);
  result.prices.rows =
      cut(optimum.prices, items + classes, optimum.prices.size());
  for (size_t i = 0; i < items; ++i) {
    // Rounding must not make prices negative where they cannot be.
    if (tables_->MustBeExact(i)) continue;
    result.prices.items[i] = std::max(0.0, result.prices.items[i]);
  }
  for (double& price : result.prices.classes) price = std::max(0.0, price);
  return result;
}

double PatternMaster::ProfitOf(const Pattern& pattern,
                               const MasterPrices& prices) const {
  double profit = -tables_->CostOf(pattern);
  for (const Units& units : pattern.contents) {
    profit += units.count * prices.items[units.item];
  }
  for (size_t b = 0; b < branch_->rows.size(); ++b) {
    profit -= prices.rows[b] * branch_->rows[b].CountOf(pattern);
  }
  return profit;
}

}  // namespace mete
