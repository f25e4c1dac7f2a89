#include "stats/warmup.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace mete {
namespace {

constexpr size_t kBatch = 5;
// With fewer than ten batches, one or two values decide the minimum.
constexpr size_t kFewestBatches = 10;
// A cut must reduce the squared standard error by a tenth. On steady series the
// best cut reduces it by a few hundredths by chance, and cutting by chance
// costs half a percent of the interval's coverage.
constexpr double kWorthwhile = 0.9;

// The logarithm makes a spike of 10x count like one of 1/10x, and the median of
// a batch ignores up to two spikes, so that a single outlier near the front is
// not mistaken for warm-up.
std::vector<double> BatchLevels(std::span<const double> series) {
  std::vector<double> levels;
  levels.reserve(series.size() / kBatch);
  for (size_t at = 0; at + kBatch <= series.size(); at += kBatch) {
    std::array<double, kBatch> batch{};
    std::copy_n(series.begin() + static_cast<std::ptrdiff_t>(at), kBatch,
                batch.begin());
    std::nth_element(batch.begin(), batch.begin() + kBatch / 2, batch.end());
    levels.push_back(std::log(std::max(batch[kBatch / 2], 1e-12)));
  }
  return levels;
}

}  // namespace

// MSER-5: the marginal standard error rule of White, "An effective truncation
// heuristic for bias reduction in simulation output", Simulation 69 (1997)
// 323-334, on batches of five (White, Cobb and Spratt, "A comparison of five
// steady-state truncation heuristics for simulation", Winter Simulation
// Conference 2000, 755-760). With batch levels Y_1 … Y_m it cuts off
//   d* = argmin_{0 <= d <= m/2} sum_{j > d} (Y_j - mean_{j > d} Y)^2 / (m-d)^2
// the cut after which the mean of the rest would have the smallest standard
// error. The limit of m/2 is the authors': a minimum beyond it says that the
// series is too short to tell. Ours batches medians of logarithms, not means.
size_t WarmupLength(std::span<const double> series) {
  std::vector<double> levels = BatchLevels(series);
  if (levels.size() < kFewestBatches) return 0;
  size_t best = 0;
  double least = INFINITY;
  double mean = 0;     // of the levels after the cut
  double squares = 0;  // their sum of squared deviations (Welford)
  double whole = 0;    // the error without a cut
  for (size_t d = levels.size(); d-- > 0;) {
    double count = static_cast<double>(levels.size() - d);
    double deviation = levels[d] - mean;
    mean += deviation / count;
    squares += deviation * (levels[d] - mean);
    double error = squares / (count * count);
    // The loop runs backwards, so a tie moves the cut to the front and removes
    // as little as possible.
    if (d <= levels.size() / 2 && error <= least) {
      least = error;
      best = d;
    }
    whole = error;
  }
  return least <= kWorthwhile * whole ? best * kBatch : 0;
}

}  // namespace mete
