#include "series/fourier_sums.h"

#include <algorithm>
#include <cmath>

namespace mete {
namespace {

// Harmonics that are summed side by side, so that the compiler can use vector
// instructions.
constexpr size_t kLanes = 4;
constexpr size_t kLags = 3;

// e^(i k angle) for k = 0 … most. A product takes less time than a sine, and
// its error grows by one rounding per step.
std::vector<std::complex<double>> Phases(double angle, int most) {
  const double c = std::cos(angle), s = std::sin(angle);
  std::vector<std::complex<double>> phases(static_cast<size_t>(most) + 1, 1);
  for (size_t k = 1; k < phases.size(); ++k) {
    const double re = phases[k - 1].real(), im = phases[k - 1].imag();
    phases[k] = {re * c - im * s, re * s + im * c};
  }
  return phases;
}

int Highest(std::span<const int> harmonics) {
  return harmonics.empty() ? 0 : std::ranges::max(harmonics);
}

struct Lanes {
  std::array<double, kLanes> c{}, s{};    // at the current time
  std::array<double, kLanes> dc{}, ds{};  // turn of one sample
  std::array<double, kLanes> re{}, im{};  // sums so far

  void Start(size_t i, std::complex<double> first, std::complex<double> turn) {
    c[i] = first.real();
    s[i] = first.imag();
    dc[i] = turn.real();
    ds[i] = turn.imag();
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

SymmetricSums::SymmetricSums(double angle, double count, int most)
    : count_(count),
      half_(Phases(angle / 2, most)),
      ends_(Phases(count * angle / 2, most)) {}

double SymmetricSums::Cosines(int k) const {
  const double base = half_[static_cast<size_t>(k)].imag();
  if (std::abs(base) < 1e-9) return count_;
  return ends_[static_cast<size_t>(k)].imag() / base;
}

double SymmetricSums::WeightedSines(int k) const {
  const std::complex<double> half = half_[static_cast<size_t>(k)];
  const std::complex<double> end = ends_[static_cast<size_t>(k)];
  const double s = half.imag();
  if (std::abs(s) < 1e-9) return 0;
  return (end.imag() * half.real() / 2 - count_ / 2 * end.real() * s) / (s * s);
}

std::vector<LaggedSums> LaggedFourierSums(const std::vector<double>& y,
                                          std::span<const int> harmonics,
                                          double frequency, size_t lags) {
  std::vector<LaggedSums> sums;
  sums.reserve(harmonics.size());
  const Halves halves(y);
  const int highest = Highest(harmonics);
  const auto turns = Phases(frequency, highest);
  const auto firsts = Phases(frequency * halves.first, highest);
  // The rows begin at 3, so their middle is 1.5 later than that of y.
  const auto shifts = Phases(-1.5 * frequency, highest);
  for (size_t begin = 0; begin < harmonics.size(); begin += kLanes) {
    const size_t used = std::min(kLanes, harmonics.size() - begin);
    Lanes lanes;
    for (size_t i = 0; i < used; ++i) {
      const auto k = static_cast<size_t>(harmonics[begin + i]);
      lanes.Start(i, firsts[k], turns[k]);
    }
    for (size_t u = 0; u < halves.even.size(); ++u) {
      lanes.Add(halves.even[u], halves.odd[u]);
    }
    for (size_t i = 0; i < used; ++i) {
      const std::complex<double> shift =
          shifts[static_cast<size_t>(harmonics[begin + i])];
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
  const auto turns = Phases(frequency, Highest(harmonics));
  for (size_t begin = 0; begin < harmonics.size(); begin += kLanes) {
    const size_t used = std::min(kLanes, harmonics.size() - begin);
    Lanes lanes;
    for (size_t i = 0; i < used; ++i) {
      lanes.Start(i, 1, turns[static_cast<size_t>(harmonics[begin + i])]);
    }
    for (double value : y) lanes.Add(value);
    for (size_t i = 0; i < used; ++i)
      sums.emplace_back(lanes.re[i], lanes.im[i]);
  }
  return sums;
}

}  // namespace mete
