#include "learn/gaussian_process.h"

#include <Eigen/Cholesky>
#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <numeric>

namespace mete {
namespace {

double SquaredDistance(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

double Covariance(const Kernel& kernel, std::span<const double> a,
                  std::span<const double> b) {
  auto columns = static_cast<double>(std::max<size_t>(1, a.size()));
  double distance = SquaredDistance(a, b) / columns;
  double product =
      std::inner_product(a.begin(), a.end(), b.begin(), 0.0) / columns;
  return kernel.rbf_variance *
             std::exp(-distance / (2 * kernel.length * kernel.length)) +
         kernel.linear_variance * product + kernel.constant;
}

Status CheckPoints(const Points& points, std::span<const double> values) {
  if (points.empty() || points.size() != values.size()) {
    return InvalidInput(
        "fit a Gaussian process: no rows, or rows and values differ in number");
  }
  for (const auto& point : points) {
    if (point.size() != points[0].size()) {
      return InvalidInput("fit a Gaussian process: rows differ in length");
    }
  }
  return {};
}

// Values tried for a kernel parameter, as factors of the current one.
constexpr double kFactors[] = {0.2, 0.5, 0.8, 1.25, 2, 5};

}  // namespace

struct GaussianProcess::State {
  Points points;
  Kernel kernel;
  double mean = 0;  // of the values; subtracted before the fit
  Eigen::LLT<Eigen::MatrixXd> factor;
  Eigen::VectorXd weights;
  double log_likelihood = 0;
};

GaussianProcess::GaussianProcess(std::unique_ptr<State> state)
    : state_(std::move(state)) {}
GaussianProcess::~GaussianProcess() = default;
GaussianProcess::GaussianProcess(GaussianProcess&&) noexcept = default;
GaussianProcess& GaussianProcess::operator=(GaussianProcess&&) noexcept =
    default;

Result<GaussianProcess> GaussianProcess::Fit(const Points& points,
                                             std::span<const double> values,
                                             const Kernel& kernel) {
  RETURN_IF_ERROR(CheckPoints(points, values));
  auto state = std::make_unique<State>();
  auto n = static_cast<Eigen::Index>(points.size());
  state->points = points;
  state->kernel = kernel;
  state->mean = std::accumulate(values.begin(), values.end(), 0.0) /
                static_cast<double>(n);
  Eigen::MatrixXd covariance(n, n);
  Eigen::VectorXd y(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    y(i) = values[static_cast<size_t>(i)] - state->mean;
    for (Eigen::Index j = 0; j <= i; ++j) {
      covariance(i, j) = covariance(j, i) =
          Covariance(kernel, points[static_cast<size_t>(i)],
                     points[static_cast<size_t>(j)]);
    }
    covariance(i, i) += kernel.noise;
  }
  state->factor.compute(covariance);
  if (state->factor.info() != Eigen::Success) {
    return InvalidInput("fit a Gaussian process: rows contradict each other");
  }
  state->weights = state->factor.solve(y);
  Eigen::MatrixXd lower = state->factor.matrixL();
  state->log_likelihood =
      -0.5 * y.dot(state->weights) - lower.diagonal().array().log().sum() -
      0.5 * static_cast<double>(n) * std::log(2 * std::numbers::pi);
  return GaussianProcess(std::move(state));
}

Result<GaussianProcess> GaussianProcess::Fit(const Points& points,
                                             std::span<const double> values) {
  ASSIGN_OR_RETURN(GaussianProcess best, Fit(points, values, Kernel{}));
  double Kernel::*const numbers[] = {&Kernel::noise, &Kernel::length,
                                     &Kernel::rbf_variance,
                                     &Kernel::linear_variance};
  for (int round = 0; round < 12; ++round) {
    double before = best.log_likelihood();
    for (double Kernel::*number : numbers) {
      for (double factor : kFactors) {
        Kernel tried = best.kernel();
        tried.*number = std::clamp(tried.*number * factor, 1e-6, 1e4);
        Result<GaussianProcess> other = Fit(points, values, tried);
        if (other.ok() && other->log_likelihood() > best.log_likelihood()) {
          best = std::move(other).value();
        }
      }
    }
    if (best.log_likelihood() - before < 1e-4) break;
  }
  return best;
}

GaussianEstimate GaussianProcess::Predict(std::span<const double> point) const {
  auto n = static_cast<Eigen::Index>(state_->points.size());
  Eigen::VectorXd covariance(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    covariance(i) = Covariance(state_->kernel, point,
                               state_->points[static_cast<size_t>(i)]);
  }
  Eigen::VectorXd solved = state_->factor.solve(covariance);
  return {.mean = state_->mean + covariance.dot(state_->weights),
          .variance = std::max(0.0, Covariance(state_->kernel, point, point) -
                                        covariance.dot(solved))};
}

const Kernel& GaussianProcess::kernel() const { return state_->kernel; }
double GaussianProcess::log_likelihood() const {
  return state_->log_likelihood;
}

}  // namespace mete
