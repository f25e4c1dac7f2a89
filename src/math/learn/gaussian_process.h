// Gaussian process regression: learns from a few rows and quantifies its
// uncertainty.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "support/result.h"

namespace mete {

// Rows of the same length, standardized by the caller.
using Points = std::vector<std::vector<double>>;

// Covariance function:
// k(x, y) = a exp(-|x - y|^2 / (2 l^2 d)) + b <x, y> / d + c, with d the
// number of columns, plus noise on the diagonal.
struct Kernel {
  double rbf_variance = 1;     // a
  double length = 1;           // l
  double linear_variance = 1;  // b
  double constant = 1;         // c
  double noise = 1e-2;         // variance
};

// A prediction and its uncertainty.
struct GaussianEstimate {
  double mean = 0;
  double variance = 0;  // of the noise-free value
};

// Rasmussen and Williams, "Gaussian processes for machine learning" (2006),
// algorithm 2.1. The kernel's parameters maximize the marginal likelihood
// (equation 2.30) over a grid refined around its best point.
class GaussianProcess {
 public:
  // Fails with kInvalidInput when there are no rows, or they differ in length.
  static Result<GaussianProcess> Fit(const Points& points,
                                     std::span<const double> values);
  // With a given kernel.
  static Result<GaussianProcess> Fit(const Points& points,
                                     std::span<const double> values,
                                     const Kernel& kernel);
  ~GaussianProcess();
  GaussianProcess(GaussianProcess&&) noexcept;
  GaussianProcess& operator=(GaussianProcess&&) noexcept;

  GaussianEstimate Predict(std::span<const double> point) const;
  const Kernel& kernel() const;
  double log_likelihood() const;

 private:
  struct State;
  explicit GaussianProcess(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace mete
