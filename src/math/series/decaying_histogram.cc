#include "series/decaying_histogram.h"

#include <algorithm>
#include <cmath>

namespace mete {
namespace {

constexpr double kGrowth = 1.05;
// Weights grow with time; start over before they overflow.
constexpr double kMostHalfLives = 64;

// Ends of bins: first * (1 + growth + growth^2 + …).
size_t BinFor(double value, double first) {
  if (value < first) return 0;
  return static_cast<size_t>(std::log(value * (kGrowth - 1) / first + 1) /
                             std::log(kGrowth));
}
double EndOfBin(size_t bin, double first) {
  return first * (std::pow(kGrowth, static_cast<double>(bin) + 1) - 1) /
         (kGrowth - 1);
}

}  // namespace

void DecayingHistogram::Add(double value, double time) {
  if (!std::isfinite(value) || !std::isfinite(time)) return;
  if (weights_.empty()) reference_ = time;
  double age = (time - reference_) / half_life_;
  if (age > kMostHalfLives) {
    const double factor = std::exp2(-age);
    for (double& weight : weights_) weight *= factor;
    total_ *= factor;
    reference_ = time;
    age = 0;
  }
  const size_t bin = BinFor(std::max(0.0, value), first_);
  if (bin >= weights_.size()) weights_.resize(bin + 1);
  const double weight = std::exp2(age);
  weights_[bin] += weight;
  total_ += weight;
}

double DecayingHistogram::Quantile(double p) const {
  double sum = 0;
  for (size_t bin = 0; bin < weights_.size(); ++bin) {
    sum += weights_[bin];
    if (sum > 0 && sum >= p * total_ * (1 - 1e-12)) {
      return EndOfBin(bin, first_);
    }
  }
  return 0;
}

}  // namespace mete
