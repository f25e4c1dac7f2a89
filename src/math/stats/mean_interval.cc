#include "stats/mean_interval.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "stats/distributions.h"

namespace mete {
namespace {

constexpr size_t kMostOfMean = 20;
constexpr size_t kFewestOfMean = 6;
constexpr double kUpper = 0.975;  // both sides together: 95 %

std::vector<ValueBatch> Merge(std::span<const ValueBatch> batches) {
  const size_t most = std::min(batches.size(), kMostOfMean);
  std::vector<ValueBatch> merged(most);
  for (size_t i = 0; i < batches.size(); ++i) {
    ValueBatch& into = merged[i * most / batches.size()];
    into.sum += batches[i].sum;
    into.count += batches[i].count;
  }
  return merged;
}

// 1 + 2 sum of rho_k while rho_k > 0: how many residuals count as one. Only the
// lags up to a quarter of the series are known well enough.
double DependenceOf(const std::vector<double>& residuals, double squares) {
  double tau = 1;
  for (size_t lag = 1; lag <= residuals.size() / 4; ++lag) {
    double products = 0;
    for (size_t i = lag; i < residuals.size(); ++i) {
      products += residuals[i] * residuals[i - lag];
    }
    if (products <= 0) break;
    tau += 2 * products / squares;
  }
  return tau;
}

}  // namespace

// Batch means: Law, "Simulation Modeling and Analysis", 5th ed., section 9.5.3.
// Batches have different counts, so that the mean T = sum s_i / sum c_i is a
// ratio: Cochran, "Sampling Techniques", 3rd ed., equation 6.13, with the
// residuals r_i = s_i - T c_i,
//   var T = n / (n - 1) sum r_i^2 / (sum c_i)^2.
std::optional<MeanEstimate> EstimateMean(std::span<const ValueBatch> batches) {
  const std::vector<ValueBatch> merged = Merge(batches);
  double sum = 0;
  double count = 0;
  for (const ValueBatch& batch : merged) {
    sum += batch.sum;
    count += batch.count;
  }
  if (count <= 0) return std::nullopt;
  MeanEstimate estimate{.mean = sum / count, .interval = {}};
  if (merged.size() < kFewestOfMean) return estimate;
  std::vector<double> residuals;
  double squares = 0;
  for (const ValueBatch& batch : merged) {
    residuals.push_back(batch.sum - estimate.mean * batch.count);
    squares += residuals.back() * residuals.back();
  }
  const double n = static_cast<double>(merged.size());
  const double tau = squares > 0 ? DependenceOf(residuals, squares) : 1;
  const double error = std::sqrt(tau * n / (n - 1) * squares) / count;
  const double half =
      StudentQuantile(kUpper, std::max(1.0, n / tau - 1)) * error;
  estimate.interval = Interval{.low = std::max(0.0, estimate.mean - half),
                               .high = estimate.mean + half};
  return estimate;
}

std::optional<MeanEstimate> EstimateMeanOfRuns(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  const double n = static_cast<double>(values.size());
  MeanEstimate estimate{
      .mean = std::accumulate(values.begin(), values.end(), 0.0) / n,
      .interval = {}};
  if (values.size() < 2) return estimate;
  double squares = 0;
  for (double value : values) {
    squares += (value - estimate.mean) * (value - estimate.mean);
  }
  const double half =
      StudentQuantile(kUpper, n - 1) * std::sqrt(squares / (n - 1) / n);
  estimate.interval = Interval{.low = std::max(0.0, estimate.mean - half),
                               .high = estimate.mean + half};
  return estimate;
}

}  // namespace mete
