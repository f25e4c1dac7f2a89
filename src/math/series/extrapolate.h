// The methods of forecasting, on a series without gaps.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace mete {

// Weights of the newest value in level, trend and season, and how much of the
// trend remains after each step.
struct Smoothing {
  double level = 0.1;
  double trend = 0;
  double season = 0.1;
  double damping = 0.95;
};

// Holt and Winters, additive, with a damped trend (Gardner and McKenzie, 1985).
// `season` is the length of a cycle; below 2: no season. The history has at
// least two cycles.
std::vector<double> ExtrapolateSmoothly(std::span<const double> history,
                                        size_t season, size_t horizon,
                                        const Smoothing& smoothing);

// The smoothing with the smallest error of forecasts `horizon` ahead within the
// history.
Smoothing ChooseSmoothing(std::span<const double> history, size_t season,
                          size_t horizon);

// The last cycle again.
std::vector<double> RepeatCycle(std::span<const double> history, size_t season,
                                size_t horizon);

// At each phase, the median of the last `cycles` cycles.
std::vector<double> RepeatMedianCycle(std::span<const double> history,
                                      size_t season, size_t cycles,
                                      size_t horizon);

// The line of least squares.
std::vector<double> ExtrapolateLine(std::span<const double> history,
                                    size_t horizon);

// Least squares on a level and up to eight harmonics of each cycle. Recent
// residuals fade out over the horizon.
std::vector<double> ExtrapolateHarmonics(std::span<const double> history,
                                         std::span<const double> cycles,
                                         size_t horizon);

}  // namespace mete
