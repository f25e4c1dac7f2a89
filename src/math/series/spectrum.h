// Spectrum and autocorrelation of a series, by the fast Fourier transform.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace mete {

// The power of a series at the frequencies k / padded cycles per sample,
// k = 0 … padded / 2. The series is padded with zeros to more than twice its
// length, so that a maximum between two frequencies is not missed and the
// autocorrelation does not wrap around.
struct Spectrum {
  size_t padded = 0;
  std::vector<double> power;
};
Spectrum PowerSpectrum(std::span<const double> series);

// Autocorrelation at lags 0 … padded / 2, relative to lag 0, of the series with
// this spectrum. Empty if the series is zero everywhere.
std::vector<double> Autocorrelation(const Spectrum& spectrum);

}  // namespace mete
