#include "stats/autocorrelation.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace mete {
namespace {

// Integrated autocorrelation time
//   tau = 1 + 2 sum_{k >= 1} rho(k)
// with the sum cut off by the initial monotone sequence of Geyer, "Practical
// Markov chain Monte Carlo", Statistical Science 7 (1992) 473-483, section
// 3.3: sums of neighbouring pairs Gamma_j = rho(2j) + rho(2j+1) of a reversible
// chain are positive and falling, so the first pair that is not positive is
// noise and everything behind it is left out.
// Subtracting the sample's own mean lowers every rho(k) by about tau/n; the
// factor 1 + (2 W + 1)/n for a window of W lags restores that: Wolff, "Monte
// Carlo errors with less errors", Computer Physics Communications 156 (2004)
// 143-153, equation (49). His (42), var(tau) = 2 (2 W + 1) tau^2 / n, is that
// of a variance estimate with n / (2 W + 1) degrees of freedom.
//
// Ours ends the sum earlier, at the first pair below half the standard error it
// would have on independent values: on those, waiting for a negative pair adds
// the positive ones before it and makes every interval too wide.
template <typename Rho>
AutocorrelationTime Integrate(size_t n, Rho rho) {
  constexpr double kNoise = 0.5;  // standard errors
  double count = static_cast<double>(n);
  double first = rho(1);  // has standard error 1 / sqrt(n), a pair sqrt(2 / n)
  if (first < kNoise / std::sqrt(count)) return {.tau = 1, .degrees = count};
  double least = 1 + first;
  double sum = least;
  size_t lag = 2;
  for (; lag + 1 < n; lag += 2) {
    double gamma = rho(lag) + rho(lag + 1);
    if (gamma < kNoise * std::sqrt(2 / count)) break;
    least = std::min(least, gamma);
    sum += least;
  }
  double window = static_cast<double>(lag - 1);
  double tau = (2 * sum - 1) * (1 + (2 * window + 1) / count);
  return {.tau = std::clamp(tau, 1.0, count),
          .degrees = std::max(1.0, count / (2 * window + 1))};
}

// The indicator series as bits, so that one machine word holds 64 products of
// a lag.
class IndicatorBits {
 public:
  IndicatorBits(std::span<const double> series, double threshold)
      : size_(series.size()), words_(series.size() / 64 + 2, 0) {
    for (size_t t = 0; t < size_; ++t) {
      if (series[t] <= threshold) words_[t / 64] |= uint64_t{1} << (t % 64);
    }
  }

  // How many t have both t and t + lag set.
  size_t Pairs(size_t lag) const {
    size_t skip = lag / 64;
    unsigned shift = static_cast<unsigned>(lag % 64);
    size_t pairs = 0;
    for (size_t w = 0; w + skip + 1 < words_.size(); ++w) {
      uint64_t later = words_[w + skip] >> shift;
      if (shift > 0) later |= words_[w + skip + 1] << (64 - shift);
      pairs += static_cast<size_t>(std::popcount(words_[w] & later));
    }
    return pairs;
  }

  // How many of the first `end` are set.
  size_t CountBefore(size_t end) const {
    size_t count = 0;
    for (size_t w = 0; w < end / 64; ++w) {
      count += static_cast<size_t>(std::popcount(words_[w]));
    }
    uint64_t rest = words_[end / 64] & ((uint64_t{1} << (end % 64)) - 1);
    return count + static_cast<size_t>(std::popcount(rest));
  }

  size_t size() const { return size_; }

 private:
  size_t size_;
  std::vector<uint64_t> words_;
};

}  // namespace

AutocorrelationTime IndicatorAutocorrelationTime(std::span<const double> series,
                                                 double threshold) {
  IndicatorBits bits(series, threshold);
  size_t n = bits.size();
  size_t ones = bits.CountBefore(n);
  double count = static_cast<double>(n);
  double mean = n == 0 ? 0 : static_cast<double>(ones) / count;
  double variance = mean * (1 - mean);
  if (n < 2 || variance <= 0)
    return {.tau = 1, .degrees = std::max(1.0, count)};
  return Integrate(n, [&](size_t lag) {
    // sum (i_t - mean)(i_{t+lag} - mean) over the n - lag pairs.
    auto head = static_cast<double>(bits.CountBefore(n - lag));
    auto tail = static_cast<double>(ones - bits.CountBefore(lag));
    double sum = static_cast<double>(bits.Pairs(lag)) - mean * (head + tail) +
                 mean * mean * static_cast<double>(n - lag);
    return sum / count / variance;
  });
}

}  // namespace mete
