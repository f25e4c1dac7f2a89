#include "stats/autocorrelation.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
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
// the positive ones before it (4 % wider intervals of the median at n = 100).
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

// The indicator series as bits, so that one machine word holds 64 products of a
// lag.
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

// Longer series are divided into at most this many blocks: the cost of a lag is
// then bounded, and 8192 blocks still determine the variance of their mean to 2
// %.
constexpr size_t kMostBlocks = 8192;

// The share of values in each block that are at most the threshold. A block has
// `length` values; an incomplete last block is omitted.
std::vector<double> BlockShares(std::span<const double> series,
                                double threshold, size_t length) {
  std::vector<double> shares;
  for (size_t begin = 0; begin + length <= series.size(); begin += length) {
    auto block = series.subspan(begin, length);
    auto below = std::count_if(block.begin(), block.end(),
                               [&](double x) { return x <= threshold; });
    shares.push_back(static_cast<double>(below) / static_cast<double>(length));
  }
  return shares;
}

// The same tau from block means: both sides of
//   variance of the overall mean = p (1 - p) tau / n = v tau_b / m
// where m blocks have variance v and autocorrelation time tau_b.
AutocorrelationTime TimeFromBlocks(std::span<const double> series,
                                   double threshold) {
  size_t length = (series.size() + kMostBlocks - 1) / kMostBlocks;
  std::vector<double> shares = BlockShares(series, threshold, length);
  double m = static_cast<double>(shares.size());
  double mean = std::accumulate(shares.begin(), shares.end(), 0.0) / m;
  double variance = 0;
  for (double& share : shares) {
    share -= mean;
    variance += share * share / m;
  }
  if (variance <= 0 || mean <= 0 || mean >= 1) {
    return {.tau = 1, .degrees = m};
  }
  AutocorrelationTime blocks = Integrate(shares.size(), [&](size_t lag) {
    return std::inner_product(shares.begin() + static_cast<ptrdiff_t>(lag),
                              shares.end(), shares.begin(), 0.0) /
           m / variance;
  });
  double n = m * static_cast<double>(length);
  double tau = blocks.tau * n / m * variance / (mean * (1 - mean));
  return {.tau = std::clamp(tau, 1.0, n), .degrees = blocks.degrees};
}

}  // namespace

AutocorrelationTime IndicatorAutocorrelationTime(std::span<const double> series,
                                                 double threshold) {
  if (series.size() > kMostBlocks) return TimeFromBlocks(series, threshold);
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
