// Sums of sines and cosines over evenly spaced times, in closed form and over a
// series.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <numbers>
#include <span>
#include <vector>

namespace mete {

// Radians per sample.
constexpr double Frequency(double period) {
  return 2 * std::numbers::pi / period;
}

// Sums over `count` times u, one apart and symmetric about 0, for the multiples
// of an angle.
class SymmetricSums {
 public:
  // For multiples from 0 to `most`.
  SymmetricSums(double angle, double count, int most);

  // Of cos(k angle u): Dirichlet's kernel.
  double Cosines(int k) const;
  // Of u sin(k angle u): the negative derivative of the kernel.
  double WeightedSines(int k) const;

 private:
  double count_;
  std::vector<std::complex<double>> half_;  // e^(i k angle / 2)
  std::vector<std::complex<double>> ends_;  // e^(i k angle count / 2)
};

// Sums of y[t - lag] cos(k w (t - m)), and the same for the sine, over the
// times t = 3 … n - 1, for lags 0 to `lags`, at most 3; those beyond are 0.
// m is the middle of these times.
struct LaggedSums {
  std::array<double, 4> cosine;
  std::array<double, 4> sine;
};
// One for each harmonic k. y has more than 6 values.
std::vector<LaggedSums> LaggedFourierSums(const std::vector<double>& y,
                                          std::span<const int> harmonics,
                                          double frequency, size_t lags);

// Sums of y[t] exp(i k w t) over all values, one for each harmonic k.
std::vector<std::complex<double>> FourierSums(std::span<const double> y,
                                              std::span<const int> harmonics,
                                              double frequency);

}  // namespace mete
