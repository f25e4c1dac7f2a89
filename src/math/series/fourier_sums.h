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

// Over `count` times u, one apart and symmetric about 0: the sum of cos(a u)
// (Dirichlet's kernel) and of u sin(a u) (its negative derivative).
double SumOfCosines(double angle, double count);
double SumOfWeightedSines(double angle, double count);

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
