// The curve of PERX: the time of an application beside n instances of another
// one at a rate.
#pragma once

#include <array>
#include <optional>
#include <span>

namespace mete {

// Parameters alpha and beta of theta_i = alpha_i + beta_i n, i = 1 … 3.
struct LogisticCurve {
  std::array<double, 3> alpha{};
  std::array<double, 3> beta{};

  // theta_1 / (1 + exp(-theta_2 (rate - theta_3)))
  double At(double instances, double rate) const;
};

// A measured time.
struct LogisticPoint {
  double instances = 0;
  double rate = 0;
  double time = 0;
};

// The maximum a posteriori: priors N(0, 2.5) on alpha and beta, and a
// half-normal prior with scale 1 on the standard deviation of normal noise, as
// in PERX, which finds it with PyMC. Here: Adam from several fixed starts.
// Absent without points.
std::optional<LogisticCurve> FitLogistic(std::span<const LogisticPoint> points);

}  // namespace mete
