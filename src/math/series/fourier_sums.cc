#include "series/fourier_sums.h"

#include <algorithm>
#include <cmath>

namespace mete {
namespace {

// Harmonics that are summed side by side, so that the compiler can use vector
// instructions.
constexpr size_t kLanes = 4;
constexpr size_t kLags = 3;

struct Lanes {
  std::array<double, kLanes> c{}, s{};    // at the current time
  std::array<double, kLanes> dc{}, ds{};  // turn of one sample
  std::array<double, kLanes> re{}, im{};  // sums so far

  void Start(size_t i, double angle, double time) {
    c[i] = std::cos(angle * time);
    s[i] = std::sin(angle * time);
    dc[i] = std::cos(angle);
    ds[i] = std::sin(angle);
  }

  void Add(double value) { Add(value, value); }
  void Add(double with_cosine, double with_sine) {
    for (size_t i = 0; i < kLanes; ++i) {
      re[i] += with_cosine * c[i];
      im[i] += with_sine * s[i];
      const double next = c[i] * dc[i] - s[i] * ds[i];
      s[i] = c[i] * ds[i] + s[i] * dc[i];
      c[i] = next;
    }
  }
};

// A series folded about its middle: cosines only meet the sum of the values at
// equal distances, sines their difference, so half of the times are enough.
struct Halves {
  explicit Halves(const std::vector<double>& y)
      : first(y.size() % 2 == 0 ? 0.5 : 0) {
    const size_t n = y.size(), count = (n + 1) / 2;
    even.resize(count);
    odd.resize(count);
    for (size_t u = 0; u < count; ++u) {
      const double later = y[n / 2 + u], earlier = y[(n - 1) / 2 - u];
      even[u] = later + earlier;
      odd[u] = later - earlier;
    }
    if (n % 2 == 1) even[0] /= 2;
  }

  double first;  // distance of the first pair from the middle
  std::vector<double> even, odd;
};

// The sums over t = 3 … n - 1 for each lag, from the sum over all values, by
// removing what falls off the ends and turning by the lag. `first` and `after`
// are the phases of the first value and of the one after the last.
LaggedSums WithLags(const std::vector<double>& y, std::complex<double> total,
                    std::complex<double> first, std::complex<double> after,
                    std::complex<double> turn, size_t lags) {
  const size_t n = y.size();
  LaggedSums sums{};
  std::complex<double> shift = 1;
  for (size_t lag = 0; lag <= lags; ++lag) {
    std::complex<double> sum = total, phase = first;
    for (size_t s = 0; s < kLags - lag; ++s, phase *= turn) {
      sum -= y[s] * phase;
    }
    phase = after;
    for (size_t s = 1; s <= lag; ++s) {
      phase *= std::conj(turn);
      sum -= y[n - s] * phase;
    }
    sum *= shift;
    sums.cosine[lag] = sum.real();
    sums.sine[lag] = sum.imag();
    shift *= turn;
  }
  return sums;
}

}  // namespace

double SumOfCosines(double angle, double count) {
  const double base = std::sin(angle / 2);
  if (std::abs(base) < 1e-9) return count;
  return std::sin(count * angle / 2) / base;
}

double SumOfWeightedSines(double angle, double count) {
  const double s = std::sin(angle / 2), c = std::cos(angle / 2);
  if (std::abs(s) < 1e-9) return 0;
  return (std::sin(count * angle / 2) * c / 2 -
          count / 2 * std::cos(count * angle / 2) * s) /
         (s * s);
}

std::vector<LaggedSums> LaggedFourierSums(const std::vector<double>& y,
                                          std::span<const int> harmonics,
                                          double frequency, size_t lags) {
  std::vector<LaggedSums> sums;
  sums.reserve(harmonics.size());
  const Halves halves(y);
  for (size_t begin = 0; begin < harmonics.size(); begin += kLanes) {
    const size_t used = std::min(kLanes, harmonics.size() - begin);
    Lanes lanes;
    for (size_t i = 0; i < used; ++i) {
      lanes.Start(i, frequency * harmonics[begin + i], halves.first);
    }
    for (size_t u = 0; u < halves.even.size(); ++u) {
      lanes.Add(halves.even[u], halves.odd[u]);
    }
    for (size_t i = 0; i < used; ++i) {
      // The rows begin at 3, so their middle is 1.5 later than that of y.
      const std::complex<double> shift =
          std::polar(1.0, -1.5 * frequency * harmonics[begin + i]);
      const std::complex<double> after(lanes.c[i], lanes.s[i]);
      const std::complex<double> turn(lanes.dc[i], lanes.ds[i]);
      const std::complex<double> total(lanes.re[i], lanes.im[i]);
      sums.push_back(WithLags(y, total * shift,
                              std::conj(after * std::conj(turn)) * shift,
                              after * shift, turn, lags));
    }
  }
  return sums;
}

std::vector<std::complex<double>> FourierSums(std::span<const double> y,
                                              std::span<const int> harmonics,
                                              double frequency) {
  std::vector<std::complex<double>> sums;
  for (size_t begin = 0; begin < harmonics.size(); begin += kLanes) {
    const size_t used = std::min(kLanes, harmonics.size() - begin);
    Lanes lanes;
    for (size_t i = 0; i < used; ++i)
      lanes.Start(i, frequency * harmonics[begin + i], 0);
    for (double value : y) lanes.Add(value);
    for (size_t i = 0; i < used; ++i)
      sums.emplace_back(lanes.re[i], lanes.im[i]);
  }
  return sums;
}

}  // namespace mete
