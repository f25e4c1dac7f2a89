// Common error measures of predictions.
#pragma once

#include <cstddef>
#include <span>

namespace mete {

// Errors over pairs of a positive true value and its prediction.
struct ErrorSummary {
  size_t rows = 0;
  double mean_absolute = 0;
  double root_mean_square = 0;
  double r2 = 0;  // 1 - residual over total variance; 0 without variance
  double median_relative = 0;  // |predicted - truth| / truth
  double within_10 = 0;        // share of rows off by at most 10 %
  double within_20 = 0;
  double within_25 = 0;
  double within_factor_2 = 0;
};

// All zero without rows. Both spans must have the same length.
ErrorSummary SummariseErrors(std::span<const double> truth,
                             std::span<const double> predicted);

// Spearman's rank correlation with ties at their mean rank. 0 for fewer than
// two rows or when either side is constant.
double RankCorrelation(std::span<const double> a, std::span<const double> b);

}  // namespace mete
