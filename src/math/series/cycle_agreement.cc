#include "series/cycle_agreement.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "series/period_fit.h"
#include "stats/quantile.h"

namespace mete {
namespace {

constexpr size_t kMostParts = 6;
constexpr size_t kMostBins = 32;

// Mean values by part and phase.
struct Folded {
  size_t parts = 0;
  size_t bins = 0;
  std::vector<double> sum;
  std::vector<double> count;
};

Folded Fold(const PreparedSeries& series, double period) {
  const double n = static_cast<double>(series.size());
  const double cycles = n / period;
  Folded folded;
  // Half a percent short of two cycles is two cycles.
  folded.parts = std::min(kMostParts, static_cast<size_t>(cycles * 1.03));
  folded.bins = std::clamp<size_t>(static_cast<size_t>(period), 4, kMostBins);
  if (folded.parts < 2) return folded;
  folded.sum.assign(folded.parts * folded.bins, 0);
  folded.count = folded.sum;
  const double part_length = n / static_cast<double>(folded.parts);
  const double bins = static_cast<double>(folded.bins);
  double phase = 0;
  for (size_t t = 0; t < series.size(); ++t) {
    if (!series.missing[t]) {
      const auto part =
          std::min(folded.parts - 1,
                   static_cast<size_t>(static_cast<double>(t) / part_length));
      const auto bin =
          std::min(folded.bins - 1, static_cast<size_t>(phase * bins));
      folded.sum[part * folded.bins + bin] += series.values[t];
      folded.count[part * folded.bins + bin] += 1;
    }
    phase += 1 / period;
    if (phase >= 1) phase -= 1;
  }
  return folded;
}

double Correlate(const std::vector<double>& a, const std::vector<double>& b) {
  double ma = 0, mb = 0;
  const double n = static_cast<double>(a.size());
  for (size_t i = 0; i < a.size(); ++i) {
    ma += a[i] / n;
    mb += b[i] / n;
  }
  double aa = 0, bb = 0, ab = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    aa += (a[i] - ma) * (a[i] - ma);
    bb += (b[i] - mb) * (b[i] - mb);
    ab += (a[i] - ma) * (b[i] - mb);
  }
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 0;
}

}  // namespace

double CycleAgreement(const PreparedSeries& series, double period) {
  const Folded folded = Fold(series, period);
  if (folded.parts < 2) return 0;
  std::vector<double> correlations;
  for (size_t part = 0; part < folded.parts; ++part) {
    std::vector<double> own, others;
    for (size_t bin = 0; bin < folded.bins; ++bin) {
      const size_t at = part * folded.bins + bin;
      double sum = 0, count = 0;
      for (size_t other = 0; other < folded.parts; ++other) {
        if (other == part || folded.count[other * folded.bins + bin] == 0) {
          continue;
        }
        sum += folded.sum[other * folded.bins + bin] /
               folded.count[other * folded.bins + bin];
        count += 1;
      }
      if (count == 0 || folded.count[at] == 0) continue;
      own.push_back(folded.sum[at] / folded.count[at]);
      others.push_back(sum / count);
    }
    correlations.push_back(own.size() >= 3 ? Correlate(own, others) : 0);
  }
  return *Quantile(correlations, 0.5);
}

double RelativeRepeatError(const PreparedSeries& series, double period,
                           int factor) {
  const double width = AveragingWidth(period);
  const PreparedSeries averaged = width > 1 ? Average(series, width) : series;
  auto ago = [&](int periods) {
    return static_cast<size_t>(std::round(periods * period / width));
  };
  const size_t one = ago(1), many = ago(factor);
  double short_error = 0, long_error = 0;
  for (size_t t = many; t < averaged.size(); ++t) {
    if (averaged.missing[t] || averaged.missing[t - one] ||
        averaged.missing[t - many]) {
      continue;
    }
    short_error += std::abs(averaged.values[t] - averaged.values[t - one]);
    long_error += std::abs(averaged.values[t] - averaged.values[t - many]);
  }
  return short_error > 0 ? long_error / short_error : 1;
}

}  // namespace mete
