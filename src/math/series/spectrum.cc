#include "series/spectrum.h"

#include <complex>
#include <kissfft.hh>

namespace mete {
namespace {

// The smallest even number of at least `least` whose half has only the factors
// 2, 3 and 5, for which the transform is fast.
size_t FastLength(size_t least) {
  for (size_t half = (least + 1) / 2;; ++half) {
    size_t rest = half;
    for (size_t factor : {2, 3, 5}) {
      while (rest % factor == 0) rest /= factor;
    }
    if (rest == 1) return 2 * half;
  }
}

// Coefficients 0 … n/2 of the transform of n real numbers, n even.
std::vector<std::complex<double>> Transform(const std::vector<double>& input) {
  const size_t half = input.size() / 2;
  std::vector<std::complex<double>> output(half + 1);
  kissfft<double>(half, false).transform_real(input.data(), output.data());
  output[half] = output[0].imag();  // both are real and share one place
  output[0] = output[0].real();
  return output;
}

}  // namespace

Spectrum PowerSpectrum(std::span<const double> series) {
  Spectrum spectrum{.padded = FastLength(2 * series.size() + 2)};
  std::vector<double> input(series.begin(), series.end());
  input.resize(spectrum.padded);
  const auto output = Transform(input);
  spectrum.power.reserve(output.size());
  for (const auto& value : output) spectrum.power.push_back(std::norm(value));
  return spectrum;
}

std::vector<double> Autocorrelation(const Spectrum& spectrum) {
  // The power is symmetric, so its forward transform is its inverse one.
  std::vector<double> input(spectrum.padded);
  for (size_t k = 0; k < spectrum.power.size(); ++k) {
    input[k] = spectrum.power[k];
    if (k > 0) input[spectrum.padded - k] = spectrum.power[k];
  }
  const auto output = Transform(input);
  const double total = output[0].real();
  if (total <= 0) return {};
  std::vector<double> correlation;
  correlation.reserve(output.size());
  for (const auto& value : output) correlation.push_back(value.real() / total);
  return correlation;
}

}  // namespace mete
