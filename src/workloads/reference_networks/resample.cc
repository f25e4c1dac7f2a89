#include "reference_networks/resample.h"

#include <bit>
#include <cmath>
#include <complex>
#include <numbers>
#include <unsupported/Eigen/FFT>

#include "support/check.h"

namespace mete {
namespace {

using Complex = std::complex<double>;
using Spectrum = std::vector<Complex>;

// exp(i pi n^2 / length); n^2 is reduced modulo 2 length to stay exact.
Complex Chirp(size_t n, size_t length) {
  auto part = static_cast<double>(n * n % (2 * length));
  return std::polar(1.0, std::numbers::pi * part / static_cast<double>(length));
}

// Inverse discrete Fourier transform of any length, without its factor 1 /
// length, through transforms of power-of-two length (Bluestein 1970: n k = (n^2
// + k^2 - (k - n)^2) / 2 turns the sum into a convolution with a chirp).
// Otherwise a prime length would have quadratic cost.
Spectrum InverseOfAnyLength(const Spectrum& values) {
  const size_t length = values.size();
  const size_t room = std::bit_ceil(2 * length - 1);
  Spectrum weighted(room);
  Spectrum kernel(room);
  for (size_t n = 0; n < length; ++n) {
    Complex chirp = Chirp(n, length);
    weighted[n] = values[n] * chirp;
    kernel[n] = std::conj(chirp);
    if (n > 0) kernel[room - n] = std::conj(chirp);
  }
  Eigen::FFT<double> fft;
  Spectrum left;
  Spectrum right;
  fft.fwd(left, weighted);
  fft.fwd(right, kernel);
  for (size_t n = 0; n < room; ++n) left[n] *= right[n];
  Spectrum convolved;
  fft.inv(convolved, left);
  Spectrum sums(length);
  for (size_t k = 0; k < length; ++k) {
    sums[k] = convolved[k] * Chirp(k, length);
  }
  return sums;
}

}  // namespace

std::vector<float> Resampled(std::span<const float> signal, size_t length) {
  CHECK(signal.size() >= 2 && length >= 2);
  const size_t before = signal.size();
  std::vector<double> time(signal.begin(), signal.end());
  Spectrum spectrum;
  Eigen::FFT<double> fft;
  fft.fwd(spectrum, time);  // both halves

  Spectrum resized(length);
  const size_t kept = std::min(before, length);
  resized[0] = spectrum[0];
  for (size_t k = 1; 2 * k <= kept; ++k) {
    // At the Nyquist frequency of the shorter signal: when shrinking, both
    // halves fold into one line; when stretching, one line is split in two.
    const bool nyquist = 2 * k == kept && before != length;
    Complex value = spectrum[k];
    if (nyquist && length > before) value *= 0.5;
    if (nyquist && length < before) value = 2 * value.real();
    resized[k] = value;
    if (2 * k != length) resized[length - k] = std::conj(value);
  }
  Spectrum result = InverseOfAnyLength(resized);
  std::vector<float> resampled(length);
  for (size_t n = 0; n < length; ++n) {
    resampled[n] =
        static_cast<float>(result[n].real() / static_cast<double>(before));
  }
  return resampled;
}

}  // namespace mete
