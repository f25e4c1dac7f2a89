#include "learn/errors.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "stats/quantile.h"
#include "support/check.h"

namespace mete {
namespace {

double ComputeMean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) /
         static_cast<double>(values.size());
}

double ShareAtMost(const std::vector<double>& values, double bound) {
  auto count = std::count_if(values.begin(), values.end(),
                             [bound](double value) { return value <= bound; });
  return static_cast<double>(count) / static_cast<double>(values.size());
}

std::vector<double> Ranks(std::span<const double> values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (size_t i = 0; i < order.size();) {
    size_t end = i;
    while (end < order.size() && values[order[end]] == values[order[i]]) ++end;
    double rank = static_cast<double>(i + end - 1) / 2;
    for (; i < end; ++i) ranks[order[i]] = rank;
  }
  return ranks;
}

}  // namespace

ErrorSummary SummariseErrors(std::span<const double> truth,
                             std::span<const double> predicted) {
  CHECK(truth.size() == predicted.size())
      << "truth and predictions differ in number";
  if (truth.empty()) return {};
  double mean = ComputeMean(truth);
  double absolute = 0;
  double squares = 0;
  double total = 0;
  size_t within_factor_2 = 0;
  std::vector<double> relative;
  for (size_t i = 0; i < truth.size(); ++i) {
    double error = predicted[i] - truth[i];
    absolute += std::abs(error);
    squares += error * error;
    total += (truth[i] - mean) * (truth[i] - mean);
    relative.push_back(std::abs(error) / truth[i]);
    if (predicted[i] <= 2 * truth[i] && truth[i] <= 2 * predicted[i]) {
      ++within_factor_2;
    }
  }
  auto rows = static_cast<double>(truth.size());
  return {.rows = truth.size(),
          .mean_absolute = absolute / rows,
          .root_mean_square = std::sqrt(squares / rows),
          .r2 = total > 0 ? 1 - squares / total : 0,
          .median_relative = *Quantile(relative, 0.5),
          .within_10 = ShareAtMost(relative, 0.10),
          .within_20 = ShareAtMost(relative, 0.20),
          .within_25 = ShareAtMost(relative, 0.25),
          .within_factor_2 = static_cast<double>(within_factor_2) / rows};
}

double RankCorrelation(std::span<const double> a, std::span<const double> b) {
  CHECK(a.size() == b.size()) << "ranks of different lengths";
  if (a.size() < 2) return 0;
  std::vector<double> x = Ranks(a);
  std::vector<double> y = Ranks(b);
  double mean = static_cast<double>(a.size() - 1) / 2;
  double xy = 0;
  double xx = 0;
  double yy = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - mean) * (y[i] - mean);
    xx += (x[i] - mean) * (x[i] - mean);
    yy += (y[i] - mean) * (y[i] - mean);
  }
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

}  // namespace mete
