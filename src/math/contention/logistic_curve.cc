#include "contention/logistic_curve.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace mete {
namespace {

constexpr double kPriorScale = 2.5;
constexpr size_t kLogisticParameters = 7;  // alpha, beta, log of the noise
constexpr size_t kLogisticSteps = 1500;
constexpr double kLogisticRate = 0.03;
// Times of a millisecond measured to a percent.
constexpr double kLeastLogNoise = -14;

using LogisticVector = std::array<double, kLogisticParameters>;

LogisticCurve CurveOf(const LogisticVector& x) {
  return {.alpha = {x[0], x[1], x[2]}, .beta = {x[3], x[4], x[5]}};
}

double Sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

// The negative logarithm of the posterior and its gradient.
double Posterior(const LogisticVector& x, std::span<const LogisticPoint> points,
                 LogisticVector& gradient) {
  gradient = {};
  const double log_noise = std::max(x[6], kLeastLogNoise);
  const double noise = std::exp(log_noise);
  double loss = 0;
  for (size_t i = 0; i < 6; ++i) {
    loss += x[i] * x[i] / (2 * kPriorScale * kPriorScale);
    gradient[i] = x[i] / (kPriorScale * kPriorScale);
  }
  loss += noise * noise / 2 - log_noise;  // with the Jacobian of the logarithm
  gradient[6] = noise * noise - 1;
  for (const LogisticPoint& point : points) {
    const double n = point.instances;
    const double theta1 = x[0] + x[3] * n;
    const double theta2 = x[1] + x[4] * n;
    const double theta3 = x[2] + x[5] * n;
    const double s = Sigmoid(theta2 * (point.rate - theta3));
    const double error = (theta1 * s - point.time) / noise;
    loss += error * error / 2 + log_noise;
    gradient[6] += 1 - error * error;
    const double by_curve = error / noise;
    const double by_inner = by_curve * theta1 * s * (1 - s);
    const std::array<double, 3> by_theta = {
        by_curve * s, by_inner * (point.rate - theta3), -by_inner * theta2};
    for (size_t i = 0; i < 3; ++i) {
      gradient[i] += by_theta[i];
      gradient[3 + i] += by_theta[i] * n;
    }
  }
  return loss;
}

// The best point on a path of Adam.
struct LogisticOptimum {
  LogisticVector x{};
  double loss = std::numeric_limits<double>::infinity();
};

LogisticOptimum Descend(LogisticVector x,
                        std::span<const LogisticPoint> points) {
  LogisticOptimum best;
  LogisticVector m{};
  LogisticVector v{};
  LogisticVector gradient{};
  for (size_t step = 1; step <= kLogisticSteps; ++step) {
    const double loss = Posterior(x, points, gradient);
    if (loss < best.loss) best = {.x = x, .loss = loss};
    const double done = static_cast<double>(step) / kLogisticSteps;
    const auto t = static_cast<double>(step);
    for (size_t i = 0; i < kLogisticParameters; ++i) {
      if (!std::isfinite(gradient[i])) return best;
      m[i] += 0.1 * (gradient[i] - m[i]);
      v[i] += 0.01 * (gradient[i] * gradient[i] - v[i]);
      const double first = m[i] / (1 - std::pow(0.9, t));
      const double second = v[i] / (1 - std::pow(0.99, t));
      x[i] -= kLogisticRate * (1 - done) * first / (std::sqrt(second) + 1e-12);
    }
  }
  return best;
}

}  // namespace

double LogisticCurve::At(double instances, double rate) const {
  std::array<double, 3> theta{};
  for (size_t i = 0; i < 3; ++i) theta[i] = alpha[i] + beta[i] * instances;
  return theta[0] * Sigmoid(theta[1] * (rate - theta[2]));
}

std::optional<LogisticCurve> FitLogistic(
    std::span<const LogisticPoint> points) {
  if (points.empty()) return std::nullopt;
  double mean = 0;
  for (const LogisticPoint& point : points) {
    mean += point.time / static_cast<double>(points.size());
  }
  const double log_noise = std::log(0.3 * mean + 1e-9);
  // Flat at the mean, and rising slowly or fast.
  LogisticOptimum best;
  for (const LogisticVector& start :
       {LogisticVector{2 * mean, 0, 0, 0, 0, 0, log_noise},
        LogisticVector{2 * mean, 0.1, 2, 0, 0, 0, log_noise},
        LogisticVector{2 * mean, 1, 2, 0, 0, 0, log_noise}}) {
    LogisticOptimum found = Descend(start, points);
    if (found.loss < best.loss) best = found;
  }
  if (!std::isfinite(best.loss)) return std::nullopt;
  return CurveOf(best.x);
}

}  // namespace mete
