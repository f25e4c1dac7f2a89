#include "stats/stability.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/autocorrelation.h"
#include "stats/interval.h"
#include "stats/quantile.h"
#include "support/units.h"

namespace mete {
namespace {

// Turns ratios into differences. The floor keeps a value of 0 finite.
std::vector<double> Logarithms(std::span<const double> series) {
  std::vector<double> logs;
  logs.reserve(series.size());
  for (double x : series) logs.push_back(std::log(std::max(x, 1e-12)));
  return logs;
}

double Median(std::span<const double> values) {
  return Quantile(values, 0.5).value_or(0);
}

// Removes the slope with Tukey's resistant line (Exploratory Data Analysis,
// 1977, chapter 10), here through the medians of two halves: a trend within the
// part is what the test looks for, and must not count as dependence.
std::vector<double> WithoutSlope(std::span<const double> part) {
  size_t half = part.size() / 2;
  double rise = Median(part.last(half)) - Median(part.first(half));
  double slope = rise / static_cast<double>(part.size() - half);
  std::vector<double> residuals(part.begin(), part.end());
  for (size_t t = 0; t < residuals.size(); ++t) {
    residuals[t] -= slope * static_cast<double>(t);
  }
  return residuals;
}

// The standard error of a part's median, derived from its own 95 % interval,
// which is distribution-free and accounts for dependence. Absent when the part
// is too short for an interval.
std::optional<double> ErrorOfMedian(std::span<const double> residuals,
                                    const AutocorrelationTime& dependence) {
  auto interval =
      QuantileInterval(Sorted(residuals), {.dependence = dependence});
  if (!interval) return std::nullopt;
  constexpr double kWidthInErrors = 2 * 1.96;
  return (interval->high - interval->low) / kWidthInErrors;
}

// The standard error of the difference between the medians of two parts.
// Assumes that both are equally dependent: one estimate from both is more
// stable than two. Absent when there are too few independent values.
std::optional<double> ErrorOfDifference(std::span<const double> first,
                                        std::span<const double> last) {
  std::vector<double> a = WithoutSlope(first);
  std::vector<double> b = WithoutSlope(last);
  AutocorrelationTime of_a = IndicatorAutocorrelationTime(a, Median(a));
  AutocorrelationTime of_b = IndicatorAutocorrelationTime(b, Median(b));
  AutocorrelationTime both{.tau = (of_a.tau + of_b.tau) / 2,
                           .degrees = of_a.degrees + of_b.degrees};
  double independent = static_cast<double>(first.size()) / both.tau;
  if (independent < kFewestInAThird) return std::nullopt;
  auto error_a = ErrorOfMedian(a, both);
  auto error_b = ErrorOfMedian(b, both);
  if (!error_a || !error_b) return std::nullopt;
  return std::hypot(*error_a, *error_b);
}

// Otsu, "A threshold selection method from gray-level histograms", IEEE
// Transactions on Systems, Man and Cybernetics 9 (1979) 62-66, equation (18):
// the cut with the largest variance between the two parts,
//   sigma_B^2 = w0 w1 (mu1 - mu0)^2.
// Returns how many of the ascending values lie in the lower part.
// One value in a hundred at each end counts as its neighbour: a few outliers
// far out must not attract the cut.
size_t OtsuSplit(std::span<const double> sorted) {
  size_t n = sorted.size();
  size_t trim = n / 100;
  auto value = [&](size_t i) {
    return sorted[std::clamp(i, trim, n - 1 - trim)];
  };
  double total = 0;
  for (size_t i = 0; i < n; ++i) total += value(i);
  double sum = 0;
  double largest = 0;
  size_t best = 0;
  for (size_t lower = 1; lower < n; ++lower) {
    sum += value(lower - 1);
    double w0 = static_cast<double>(lower);
    double w1 = static_cast<double>(n - lower);
    double apart = (total - sum) / w1 - sum / w0;
    double between = w0 * w1 * apart * apart;
    if (between > largest) {
      largest = between;
      best = lower;
    }
  }
  return best;
}

// Number of values in a window of the given width around a centre.
double CountNear(std::span<const double> sorted, double centre, double width) {
  auto first =
      std::lower_bound(sorted.begin(), sorted.end(), centre - width / 2);
  auto last =
      std::upper_bound(sorted.begin(), sorted.end(), centre + width / 2);
  return static_cast<double>(std::max<std::ptrdiff_t>(0, last - first));
}

struct Counts {
  double peak = 0;    // at the lesser of the two levels
  double valley = 0;  // at the lowest point between them
};

Counts CountPeakAndValley(std::span<const double> sorted, double low,
                          double high) {
  constexpr int kSteps = 16;
  double gap = high - low;
  double width = gap / 4;
  Counts counts{.peak = std::min(CountNear(sorted, low, width),
                                 CountNear(sorted, high, width)),
                .valley = INFINITY};
  // From a quarter to three quarters of the way, outside the peak windows.
  for (int step = kSteps / 4; step <= 3 * kSteps / 4; ++step) {
    double centre = low + gap * step / kSteps;
    counts.valley = std::min(counts.valley, CountNear(sorted, centre, width));
  }
  return counts;
}

}  // namespace

std::optional<Drift> FindDrift(std::span<const double> series) {
  std::vector<double> logs = Logarithms(series);
  std::span<const double> all(logs);
  size_t third = logs.size() / 3;
  if (third < 2) return std::nullopt;
  auto error = ErrorOfDifference(all.first(third), all.last(third));
  if (!error) return std::nullopt;
  double change = Median(all.last(third)) - Median(all.first(third));
  bool large = std::abs(change) >= std::log1p(kLeastDrift);
  bool sure = std::abs(change) >= kDriftSignificance * *error;
  if (!large || !sure) return std::nullopt;
  return Drift{
      .change = std::expm1(change),
      .significance = *error > 0 ? std::abs(change) / *error : INFINITY};
}

// Haldane, "Simple tests for bimodality and bitangentiality", Annals of
// Eugenics 16 (1951) 359-364: if there were one hump, a class between two
// others would hold at least as many values as the lesser of them. Given both
// together, the count c_v in the valley is then at least binomial with 1/2:
//   z = (c_p - c_v) / sqrt(c_p + c_v).
// Dependent values count 1 / tau each.
std::optional<TwoLevels> FindTwoLevels(std::span<const double> series) {
  if (series.size() < 2) return std::nullopt;
  std::vector<double> logs = Logarithms(series);
  std::vector<double> sorted = Sorted(logs);
  size_t lower = OtsuSplit(sorted);
  double share = static_cast<double>(lower) / static_cast<double>(logs.size());
  if (share < kLeastShare || share > 1 - kLeastShare) return std::nullopt;
  std::span<const double> all(sorted);
  double low = Median(all.first(lower));
  double high = Median(all.subspan(lower));
  if (high - low < std::log1p(kLeastGap)) return std::nullopt;

  Counts counts = CountPeakAndValley(sorted, low, high);
  double tau = IndicatorAutocorrelationTime(logs, sorted[lower - 1]).tau;
  double z = (counts.peak - counts.valley) /
             std::sqrt((counts.peak + counts.valley) * tau);
  double valley = counts.valley / counts.peak;
  if (!(valley <= kDeepestValley) || !(z >= kValleySignificance)) {
    return std::nullopt;
  }
  return TwoLevels{.low = std::exp(low),
                   .high = std::exp(high),
                   .low_share = share,
                   .valley = valley,
                   .significance = z};
}

std::string Describe(const Drift& drift) {
  return fmt::format("drifts: the last third is {:.1f} % {} than the first",
                     std::abs(drift.change) * 100,
                     drift.change > 0 ? "slower" : "faster");
}

std::string Describe(const TwoLevels& levels) {
  return fmt::format("two levels: {:.0f} % near {}, {:.0f} % near {}",
                     levels.low_share * 100, FormatSeconds(levels.low),
                     (1 - levels.low_share) * 100, FormatSeconds(levels.high));
}

}  // namespace mete
