#include "series/harmonic_regression.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace mete {
namespace {

constexpr size_t kLine = 2;  // 1 and time
constexpr size_t kFirst = kMostLags;  // the first row that has a past

// Sums of cosines over m times that are symmetric about 0, one apart
// (Dirichlet kernel): D(a) = sum of cos(a u), and -D'(a) = sum of u sin(a u).
double Dirichlet(double angle, double m) {
  const double base = std::sin(angle / 2);
  if (std::abs(base) < 1e-9) return m;
  return std::sin(m * angle / 2) / base;
}
double WeightedSine(double angle, double m) {
  const double s = std::sin(angle / 2), c = std::cos(angle / 2);
  if (std::abs(s) < 1e-9) return 0;
  return (std::sin(m * angle / 2) * c / 2 -
          m / 2 * std::cos(m * angle / 2) * s) /
         (s * s);
}

// Fourier sums of the whole series at several harmonics, about a middle.
struct Sums {
  std::vector<double> cosine, sine;
};

constexpr size_t kLanes = 4;
Sums FourierSums(const std::vector<double>& y, std::span<const int> harmonics,
                 double frequency, double middle) {
  const size_t count = harmonics.size();
  Sums sums{std::vector<double>(count), std::vector<double>(count)};
  for (size_t begin = 0; begin < count; begin += kLanes) {
    std::array<double, kLanes> c{}, s{}, dc{}, ds{}, re{}, im{};
    const size_t lanes = std::min(kLanes, count - begin);
    for (size_t i = 0; i < lanes; ++i) {
      const double angle = frequency * harmonics[begin + i];
      c[i] = std::cos(-angle * middle);
      s[i] = std::sin(-angle * middle);
      dc[i] = std::cos(angle);
      ds[i] = std::sin(angle);
    }
    for (double value : y) {
      for (size_t i = 0; i < kLanes; ++i) {
        re[i] += value * c[i];
        im[i] += value * s[i];
        const double next = c[i] * dc[i] - s[i] * ds[i];
        s[i] = c[i] * ds[i] + s[i] * dc[i];
        c[i] = next;
      }
    }
    for (size_t i = 0; i < lanes; ++i) {
      sums.cosine[begin + i] = re[i];
      sums.sine[begin + i] = im[i];
    }
  }
  return sums;
}

// One symmetric matrix in the making; only the lower triangle is used.
struct Gram {
  size_t columns;
  std::vector<double>& entries;
  double& at(size_t row, size_t column) {
    return row >= column ? entries[row * columns + column]
                         : entries[column * columns + row];
  }
};

}  // namespace

HarmonicRegression::HarmonicRegression(const PreparedSeries& series,
                                       const HarmonicRequest& request) {
  const std::vector<double>& y = series.values;
  const size_t n = y.size();
  harmonics_ = request.harmonics.size();
  columns_ = kLine + kMostLags + 2 * harmonics_ + 1;
  gram_.assign(columns_ * columns_, 0);
  if (n <= kFirst + kLine) return;
  rows_ = n - kFirst;
  const double m = static_cast<double>(rows_);
  middle_ = static_cast<double>(kFirst) + (m - 1) / 2;
  const double frequency = 2 * std::numbers::pi / request.period;
  const double scale = 2 / m;  // of time, so that all columns are near 1
  Gram gram{columns_, gram_};
  const size_t first_harmonic = kLine + kMostLags;
  const size_t last = columns_ - 1;

  // Past i (0: the series itself) is column `past(i)`.
  auto past = [&](size_t i) { return i == 0 ? last : kLine + i - 1; };
  gram.at(0, 0) = m;
  gram.at(1, 1) = scale * scale * m * (m * m - 1) / 12;
  for (size_t i = 0; i <= kMostLags; ++i) {
    double sum = 0, moment = 0;
    for (size_t t = kFirst; t < n; ++t) {
      sum += y[t - i];
      moment += (static_cast<double>(t) - middle_) * y[t - i];
    }
    gram.at(past(i), 0) = sum;
    gram.at(past(i), 1) = scale * moment;
  }
  // Products with the past: the full sum once per distance, then the ends.
  for (size_t i = 0; i <= kMostLags; ++i) {
    double sum = 0;
    for (size_t t = kFirst; t < n; ++t) sum += y[t] * y[t - i];
    gram.at(past(0), past(i)) = sum;
    // (j, j + i): moved back by j.
    for (size_t j = 1; j + i <= kMostLags; ++j) {
      sum += y[kFirst - j] * y[kFirst - j - i] - y[n - j] * y[n - j - i];
      gram.at(past(j), past(j + i)) = sum;
    }
  }

  // Harmonics with each other.
  int highest = 0;
  for (int k : request.harmonics) highest = std::max(highest, k);
  std::vector<double> kernel(2 * static_cast<size_t>(highest) + 1);
  for (size_t k = 0; k < kernel.size(); ++k) {
    kernel[k] = Dirichlet(frequency * static_cast<double>(k), m);
  }
  for (size_t a = 0; a < harmonics_; ++a) {
    const int j = request.harmonics[a];
    const size_t row = first_harmonic + 2 * a;
    gram.at(row, 0) = kernel[j];
    gram.at(row + 1, 1) = scale * WeightedSine(frequency * j, m);
    for (size_t b = 0; b <= a; ++b) {
      const int k = request.harmonics[b];
      const double difference = kernel[std::abs(j - k)], sum = kernel[j + k];
      const size_t column = first_harmonic + 2 * b;
      gram.at(row, column) = (difference + sum) / 2;
      gram.at(row + 1, column + 1) = (difference - sum) / 2;
    }
  }
  // Harmonics with the series and its past.
  const Sums sums =
      FourierSums(y, request.harmonics, frequency, middle_);
  for (size_t a = 0; a < harmonics_; ++a) {
    const double angle = frequency * request.harmonics[a];
    const size_t row = first_harmonic + 2 * a;
    for (size_t i = 0; i <= kMostLags; ++i) {
      double re = sums.cosine[a], im = sums.sine[a];
      auto remove = [&](size_t s) {
        const double phase = angle * (static_cast<double>(s) - middle_);
        re -= y[s] * std::cos(phase);
        im -= y[s] * std::sin(phase);
      };
      for (size_t s = 0; s < kFirst - i; ++s) remove(s);
      for (size_t s = n - i; s < n; ++s) remove(s);
      const double turn = angle * static_cast<double>(i);
      const double c = std::cos(turn), s = std::sin(turn);
      gram.at(row, past(i)) = re * c - im * s;
      gram.at(row + 1, past(i)) = re * s + im * c;
    }
  }
  if (series.measured == n) return;

  // Take out the rows that contain a missing value.
  std::vector<double> x(columns_);
  for (size_t t = kFirst; t < n; ++t) {
    bool counts = true;
    for (size_t i = 0; i <= kMostLags; ++i) {
      counts = counts && !series.missing[t - i];
    }
    if (counts) continue;
    --rows_;
    const double u = static_cast<double>(t) - middle_;
    x[0] = 1;
    x[1] = scale * u;
    for (size_t i = 0; i <= kMostLags; ++i) x[past(i)] = y[t - i];
    for (size_t a = 0; a < harmonics_; ++a) {
      const double phase = frequency * request.harmonics[a] * u;
      x[first_harmonic + 2 * a] = std::cos(phase);
      x[first_harmonic + 2 * a + 1] = std::sin(phase);
    }
    for (size_t row = 0; row < columns_; ++row) {
      for (size_t column = 0; column <= row; ++column) {
        gram_[row * columns_ + column] -= x[row] * x[column];
      }
    }
  }
}

size_t HarmonicRegression::Column(size_t lags, size_t i) const {
  return i < kLine + lags ? i : i + (kMostLags - lags);
}

std::vector<double> HarmonicRegression::Residuals(size_t lags) const {
  const size_t size = columns_ - (kMostLags - lags);
  std::vector<double> residuals(harmonics_ + 1);
  if (rows_ == 0) return residuals;
  // Cholesky of the columns in order; the last row belongs to the series, and
  // each of its entries is what one more column explains.
  std::vector<double> factor(size * size);
  double left = 0;
  for (size_t i = 0; i < size; ++i) {
    const double* from = &gram_[Column(lags, i) * columns_];
    double* row = &factor[i * size];
    for (size_t j = 0; j <= i; ++j) {
      const double* other = &factor[j * size];
      double sum = from[Column(lags, j)];
      for (size_t k = 0; k < j; ++k) sum -= row[k] * other[k];
      if (j < i) {
        row[j] = other[j] > 0 ? sum / other[j] : 0;
      } else {
        // A column that the ones before determine adds nothing.
        row[i] = sum > 1e-9 * from[Column(lags, i)] ? std::sqrt(sum) : 0;
      }
    }
  }
  const double* explained = &factor[(size - 1) * size];
  left = gram_[columns_ * columns_ - 1];
  size_t column = 0;
  for (; column < kLine + lags; ++column) {
    left -= explained[column] * explained[column];
  }
  residuals[0] = std::max(left, 0.0);
  for (size_t h = 1; h <= harmonics_; ++h, column += 2) {
    left -= explained[column] * explained[column] +
            explained[column + 1] * explained[column + 1];
    residuals[h] = std::max(left, 0.0);
  }
  return residuals;
}

double LogTail(double share, size_t half, double rest) {
  if (share <= 0 || half == 0 || rest <= 0) return 0;
  if (share >= 1) share = 1 - 1e-15;
  const double b = rest / 2;
  double term = 1, sum = 1;
  for (size_t j = 1; j < half; ++j) {
    term *= (b + static_cast<double>(j) - 1) / static_cast<double>(j) * share;
    sum += term;
  }
  return std::min(0.0, b * std::log1p(-share) + std::log(sum));
}

}  // namespace mete
