#include "series/harmonic_regression.h"

#include <algorithm>
#include <cmath>

#include "series/fourier_sums.h"

namespace mete {
namespace {

constexpr size_t kLine = 2;              // columns: 1 and time
constexpr size_t kFirst = kMostLags;     // the first row that has a past
constexpr size_t kPast = kMostLags + 1;  // the past, then the series itself

// The matrix X'X, lower triangle. Columns: the line, harmonics (cosine and sine
// about the middle of the rows), the past from lag 1, the series itself.
struct Gram {
  Gram(size_t harmonics, size_t past_columns)
      : first_past(kLine + 2 * harmonics),
        columns(first_past + past_columns),
        entries(columns * columns) {}

  double& at(size_t row, size_t column) {
    return entries[std::max(row, column) * columns + std::min(row, column)];
  }
  // Column of the series `lag` samples ago.
  size_t past(size_t lag) const {
    return lag == 0 ? columns - 1 : first_past + lag - 1;
  }

  // Lags from 0 that have a column.
  size_t lags() const { return columns - first_past; }

  size_t first_past;
  size_t columns;
  std::vector<double> entries;
};

struct Rows {
  double count;
  double middle;
  double scale;  // of time, so that all columns are of similar size
};

// The line and the past with each other. Full sums are taken once and moved by
// one lag at a time, which changes only the ends.
void AddPast(Gram& gram, const std::vector<double>& y, const Rows& rows) {
  const size_t n = y.size();
  gram.at(0, 0) = rows.count;
  gram.at(1, 1) =
      rows.scale * rows.scale * rows.count * (rows.count * rows.count - 1) / 12;
  std::array<double, kPast> products{};
  double sum = 0, moment = 0;
  for (size_t t = kFirst; t < n; ++t) {
    sum += y[t];
    moment += (static_cast<double>(t) - rows.middle) * y[t];
    for (size_t lag = 0; lag < gram.lags(); ++lag) {
      products[lag] += y[t] * y[t - lag];
    }
  }
  const double half = (rows.count - 1) / 2;
  for (size_t lag = 0; lag < gram.lags(); ++lag) {
    gram.at(gram.past(lag), 0) = sum;
    gram.at(gram.past(lag), 1) = rows.scale * moment;
    if (lag == kMostLags) break;
    const double leaves = y[n - 1 - lag], enters = y[kFirst - 1 - lag];
    moment += sum - leaves * (half + 1) - enters * half;
    sum += enters - leaves;
  }
  for (size_t distance = 0; distance < gram.lags(); ++distance) {
    double product = products[distance];
    for (size_t lag = 0; lag + distance < gram.lags(); ++lag) {
      if (lag > 0) {
        product += y[kFirst - lag] * y[kFirst - lag - distance] -
                   y[n - lag] * y[n - lag - distance];
      }
      gram.at(gram.past(lag), gram.past(lag + distance)) = product;
    }
  }
}

void AddHarmonics(Gram& gram, const HarmonicRequest& request,
                  const Rows& rows) {
  int highest = 0;
  for (int k : request.harmonics) highest = std::max(highest, k);
  const SymmetricSums sums(Frequency(request.period), rows.count, 2 * highest);
  std::vector<double> kernel(2 * static_cast<size_t>(highest) + 1);
  for (size_t k = 0; k < kernel.size(); ++k) {
    kernel[k] = sums.Cosines(static_cast<int>(k));
  }
  for (size_t a = 0; a < request.harmonics.size(); ++a) {
    const int j = request.harmonics[a];
    const size_t row = kLine + 2 * a;
    gram.at(row, 0) = kernel[static_cast<size_t>(j)];
    gram.at(row + 1, 1) = rows.scale * sums.WeightedSines(j);
    for (size_t b = 0; b <= a; ++b) {
      const int k = request.harmonics[b];
      const double difference = kernel[static_cast<size_t>(std::abs(j - k))];
      const double sum =
          kernel[static_cast<size_t>(j) + static_cast<size_t>(k)];
      gram.at(row, kLine + 2 * b) = (difference + sum) / 2;
      gram.at(row + 1, kLine + 2 * b + 1) = (difference - sum) / 2;
    }
  }
}

void AddProducts(Gram& gram, const std::vector<double>& y,
                 const HarmonicRequest& request) {
  const auto sums = LaggedFourierSums(
      y, request.harmonics, Frequency(request.period), gram.lags() - 1);
  for (size_t a = 0; a < sums.size(); ++a) {
    for (size_t lag = 0; lag < gram.lags(); ++lag) {
      gram.at(gram.past(lag), kLine + 2 * a) = sums[a].cosine[lag];
      gram.at(gram.past(lag), kLine + 2 * a + 1) = sums[a].sine[lag];
    }
  }
}

// Takes out the rows that contain a missing value; returns how many.
size_t RemoveMissing(Gram& gram, const PreparedSeries& series,
                     const HarmonicRequest& request, const Rows& rows) {
  const double frequency = Frequency(request.period);
  std::vector<double> x(gram.columns);
  size_t removed = 0;
  for (size_t t = kFirst; t < series.size(); ++t) {
    bool complete = true;
    for (size_t lag = 0; lag < kPast; ++lag) {
      complete = complete && !series.missing[t - lag];
    }
    if (complete) continue;
    ++removed;
    const double u = static_cast<double>(t) - rows.middle;
    x[0] = 1;
    x[1] = rows.scale * u;
    for (size_t a = 0; a < request.harmonics.size(); ++a) {
      const double phase = frequency * request.harmonics[a] * u;
      x[kLine + 2 * a] = std::cos(phase);
      x[kLine + 2 * a + 1] = std::sin(phase);
    }
    for (size_t lag = 0; lag < gram.lags(); ++lag) {
      x[gram.past(lag)] = series.values[t - lag];
    }
    for (size_t i = 0; i < gram.columns; ++i) {
      for (size_t j = 0; j <= i; ++j) {
        gram.entries[i * gram.columns + j] -= x[i] * x[j];
      }
    }
  }
  return removed;
}

// Cholesky's factor of the line and the harmonics, with the rows of the past
// below it. A column that those before it determine adds nothing. Even columns
// (the level and cosines) and odd ones (time and sines) are orthogonal if no
// row is missing; then the `stride` is 2, otherwise 1.
void Factorize(Gram& gram, size_t stride) {
  for (size_t i = 0; i < gram.columns; ++i) {
    double* row = &gram.entries[i * gram.columns];
    const bool past = i >= gram.first_past;
    const size_t end = past ? gram.first_past : i + 1;
    for (size_t j = past ? 0 : i % stride; j < end; j += past ? 1 : stride) {
      const double* other = &gram.entries[j * gram.columns];
      double sum = row[j];
      for (size_t k = j % stride; k < j; k += stride) sum -= row[k] * other[k];
      if (j < i) {
        row[j] = other[j] > 0 ? sum / other[j] : 0;
      } else {
        row[i] = sum > 1e-9 * row[i] ? std::sqrt(sum) : 0;
      }
    }
  }
}

// What is left of the series after each lag, given what is left of the products
// of the past.
std::array<double, kPast> Eliminate(
    std::array<std::array<double, kPast>, kPast> products) {
  std::array<double, kPast> left{};
  constexpr size_t kSelf = kPast - 1;
  left[0] = std::max(0.0, products[kSelf][kSelf]);
  for (size_t lag = 0; lag < kMostLags; ++lag) {
    const double pivot = products[lag][lag];
    if (pivot > 0) {
      for (size_t i = lag + 1; i < kPast; ++i) {
        const double share = products[i][lag] / pivot;
        for (size_t j = lag + 1; j <= i; ++j) {
          products[i][j] -= share * products[j][lag];
        }
      }
    }
    left[lag + 1] = std::clamp(products[kSelf][kSelf], 0.0, left[lag]);
  }
  return left;
}

struct Factor {
  Gram gram;
  size_t rows = 0;
  // Products of the past and the series, before anything is explained.
  std::array<std::array<double, kPast>, kPast> products{};
};

// `series` has enough values.
Factor MakeFactor(const PreparedSeries& series, const HarmonicRequest& request,
                  size_t past_columns) {
  Factor factor{.gram = Gram(request.harmonics.size(), past_columns),
                .rows = series.size() - kFirst};
  Gram& gram = factor.gram;
  const double count = static_cast<double>(factor.rows);
  const Rows rows{.count = count,
                  .middle = static_cast<double>(kFirst) + (count - 1) / 2,
                  .scale = 2 / count};
  AddPast(gram, series.values, rows);
  AddHarmonics(gram, request, rows);
  AddProducts(gram, series.values, request);
  const bool complete = series.measured == series.size();
  if (!complete) factor.rows -= RemoveMissing(gram, series, request, rows);
  for (size_t i = 0; i < past_columns; ++i) {
    for (size_t j = 0; j <= i; ++j) {
      factor.products[i][j] = gram.at(gram.first_past + i, gram.first_past + j);
    }
  }
  Factorize(gram, complete ? 2 : 1);
  return factor;
}

bool TooShort(const PreparedSeries& series) {
  return series.size() <= kFirst + kLine + kPast;
}

}  // namespace

HarmonicRegression::HarmonicRegression(const PreparedSeries& series,
                                       const HarmonicRequest& request) {
  left_.resize(request.harmonics.size() + 1);
  if (TooShort(series)) return;
  Factor factor = MakeFactor(series, request, kPast);
  rows_ = factor.rows;
  auto take = [&](size_t column) {
    std::array<double, kPast> explained;
    for (size_t i = 0; i < kPast; ++i) {
      explained[i] = factor.gram.at(factor.gram.first_past + i, column);
    }
    for (size_t i = 0; i < kPast; ++i) {
      for (size_t j = 0; j <= i; ++j) {
        factor.products[i][j] -= explained[i] * explained[j];
      }
    }
  };
  take(0);
  take(1);
  left_[0] = Eliminate(factor.products);
  for (size_t h = 1; h < left_.size(); ++h) {
    take(2 * h);
    take(2 * h + 1);
    left_[h] = Eliminate(factor.products);
  }
}

double LeftByHarmonics(const PreparedSeries& series,
                       const HarmonicRequest& request) {
  if (TooShort(series)) return 0;
  Factor factor = MakeFactor(series, request, 1);
  const size_t self = factor.gram.columns - 1;
  double left = factor.products[0][0];
  for (size_t column = 0; column < self; ++column) {
    const double explained = factor.gram.at(self, column);
    left -= explained * explained;
  }
  return std::max(0.0, left);
}

double LogTail(double share, size_t half, double rest) {
  if (share <= 0 || half == 0 || rest <= 0) return 0;
  share = std::min(share, 1 - 1e-15);
  const double b = rest / 2;
  double term = 1, sum = 1;
  for (size_t j = 1; j < half; ++j) {
    term *= (b + static_cast<double>(j) - 1) / static_cast<double>(j) * share;
    sum += term;
  }
  return std::min(0.0, b * std::log1p(-share) + std::log(sum));
}

}  // namespace mete
