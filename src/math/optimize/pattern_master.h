// The linear program over patterns (Gilmore and Gomory 1961): how often is each
// pattern used, if parts of bins were allowed?
//
//   maximize    sum_i score_i z_i - sum_p cost_p t_p
//   subject to  units_i z_i - sum_p x_ip t_p <= 0     price pi_i
//               sum_(p of class c) t_p <= count_c      price mu_c
//               rows of the branch                     price sigma
//               0 <= z_i <= 1, t_p >= 0
#pragma once

#include <cstddef>
#include <vector>

#include "optimize/branch.h"
#include "optimize/linear_program.h"
#include "optimize/pattern_pool.h"

namespace mete {

// A share of a pattern.
struct PatternShare {
  size_t pattern = 0;  // in the pool
  double value = 0;
};

// An optimum over the patterns that are known so far.
struct MasterOptimum {
  double objective = 0;
  std::vector<double> placed;        // z of each item
  std::vector<PatternShare> shares;  // above 0
  MasterPrices prices;
  // Whether the rows of the branch hold without violation.
  bool feasible = true;
};

// The program for one branch. Tables, branch and pool outlive it.
class PatternMaster {
 public:
  // Without patterns. `penalty` is paid for each unit by which the decisions of
  // the branch are violated.
  static Result<PatternMaster> Create(const PackingTables& tables,
                                      const Branch& branch,
                                      const PatternPool& pool, double penalty);
  // From the next Update on, the pattern at this position of the pool can be
  // used. Returns whether it could not before.
  bool Include(size_t pattern);
  void Update();
  Result<MasterOptimum> Solve(Seconds limit);
  // The profit of a pattern at these prices, before the price of its bin.
  double ProfitOf(const Pattern& pattern, const MasterPrices& prices) const;

 private:
  PatternMaster(const PackingTables& tables, const Branch& branch,
                const PatternPool& pool, LinearProgram program);
  void AddFixedPart(double penalty);
  bool CanBeRemoved(size_t item) const;

  const PackingTables* tables_;
  const Branch* branch_;
  const PatternPool* pool_;
  LinearProgram program_;
  size_t slack_begin_ = 0;  // columns that violate rows of the branch
  size_t slack_end_ = 0;
  std::vector<size_t> patterns_;  // of the columns from slack_end_ on
  std::vector<bool> included_;    // by position in the pool
  size_t updated_ = 0;            // patterns_ that have their column
};

}  // namespace mete
