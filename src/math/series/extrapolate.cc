#include "series/extrapolate.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

namespace mete {
namespace {

// The state of Holt and Winters' recursion.
class Smoother {
 public:
  Smoother(std::span<const double> history, size_t season,
           const Smoothing& smoothing)
      : smoothing_(smoothing), season_(std::max<size_t>(season, 1)) {
    const size_t start = season < 2 ? 1 : season;
    for (size_t i = 0; i < start; ++i) {
      level_ += history[i] / static_cast<double>(start);
    }
    if (season >= 2) {
      for (size_t i = 0; i < season; ++i) season_[i] = history[i] - level_;
    }
  }

  // Updates the state and returns the error of the forecast one step ahead.
  double Add(double value) {
    const double trend = smoothing_.damping * trend_;
    const double error = value - level_ - trend - season_[place_];
    level_ += trend + smoothing_.level * error;
    trend_ = trend + smoothing_.level * smoothing_.trend * error;
    if (season_.size() > 1) {
      season_[place_] += smoothing_.season * (1 - smoothing_.level) * error;
    }
    place_ = place_ + 1 == season_.size() ? 0 : place_ + 1;
    return error;
  }

  // `steps` >= 1 ahead of the last value.
  double Ahead(size_t steps) const {
    const double d = smoothing_.damping;
    const double faded =
        d * (1 - std::pow(d, static_cast<double>(steps))) / (1 - d);
    return level_ + faded * trend_ +
           season_[(place_ + steps - 1) % season_.size()];
  }

 private:
  Smoothing smoothing_;
  double level_ = 0;
  double trend_ = 0;
  std::vector<double> season_;
  size_t place_ = 0;
};

constexpr int kMostHarmonicsOfCycle = 8;

// Rows of the regression, one per time from 0: the level and the harmonics.
using RowMajor =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
RowMajor MakeDesign(size_t rows,
                    const std::vector<std::pair<double, int>>& waves) {
  RowMajor design(static_cast<Eigen::Index>(rows),
                  static_cast<Eigen::Index>(1 + 2 * waves.size()));
  design.col(0).setOnes();
  Eigen::Index column = 1;
  for (const auto& [cycle, k] : waves) {
    const std::complex<double> turn =
        std::polar(1.0, 2 * std::numbers::pi * k / cycle);
    double c = 1, s = 0;
    for (Eigen::Index t = 0; t < design.rows(); ++t) {
      design(t, column) = c;
      design(t, column + 1) = s;
      const double next = c * turn.real() - s * turn.imag();
      s = c * turn.imag() + s * turn.real();
      c = next;
    }
    column += 2;
  }
  return design;
}

// Harmonics of all cycles, each frequency once.
std::vector<std::pair<double, int>> Waves(std::span<const double> cycles,
                                          size_t length) {
  std::vector<std::pair<double, int>> waves;
  for (double cycle : cycles) {
    for (int k = 1; k <= kMostHarmonicsOfCycle && k < cycle / 2; ++k) {
      const double turns = static_cast<double>(length) * k / cycle;
      const bool known = std::ranges::any_of(waves, [&](const auto& wave) {
        const double other =
            static_cast<double>(length) * wave.second / wave.first;
        return std::abs(turns - other) < 0.5;
      });
      if (!known) waves.emplace_back(cycle, k);
    }
  }
  return waves;
}

}  // namespace

std::vector<double> ExtrapolateSmoothly(std::span<const double> history,
                                        size_t season, size_t horizon,
                                        const Smoothing& smoothing) {
  Smoother smoother(history, season, smoothing);
  for (double value : history) smoother.Add(value);
  std::vector<double> ahead(horizon);
  for (size_t i = 0; i < horizon; ++i) ahead[i] = smoother.Ahead(i + 1);
  return ahead;
}

Smoothing ChooseSmoothing(std::span<const double> history, size_t season,
                          size_t horizon) {
  Smoothing best;
  double least = std::numeric_limits<double>::infinity();
  const size_t begin = std::max(history.size() / 3, 2 * season);
  // A forecast every few steps is enough to compare.
  const size_t stride = std::max<size_t>(1, (history.size() - begin) / 64);
  for (double level : {0.02, 0.1, 0.3, 0.7}) {
    for (double trend : {0.0, 0.05}) {
      for (double of_season : {0.05, 0.15, 0.4}) {
        if (season < 2 && of_season > 0.05) continue;
        const Smoothing smoothing{
            .level = level, .trend = trend, .season = of_season};
        Smoother smoother(history, season, smoothing);
        double error = 0;
        for (size_t t = 0; t < history.size(); ++t) {
          smoother.Add(history[t]);
          if (t < begin || (t - begin) % stride != 0) continue;
          for (size_t steps = std::max<size_t>(1, horizon / 4);
               steps <= horizon && t + steps < history.size();
               steps += std::max<size_t>(1, horizon / 4)) {
            error += std::abs(history[t + steps] - smoother.Ahead(steps));
          }
        }
        if (error < least) {
          least = error;
          best = smoothing;
        }
      }
    }
  }
  return best;
}

std::vector<double> RepeatCycle(std::span<const double> history, size_t season,
                                size_t horizon) {
  season = std::clamp<size_t>(season, 1, history.size());
  std::vector<double> ahead(horizon);
  const size_t begin = history.size() - season;
  for (size_t i = 0; i < horizon; ++i) ahead[i] = history[begin + i % season];
  return ahead;
}

std::vector<double> RepeatMedianCycle(std::span<const double> history,
                                      size_t season, size_t cycles,
                                      size_t horizon) {
  season = std::clamp<size_t>(season, 1, history.size());
  cycles = std::clamp<size_t>(cycles, 1, history.size() / season);
  std::vector<double> profile(season), values(cycles);
  for (size_t phase = 0; phase < season; ++phase) {
    for (size_t back = 1; back <= cycles; ++back) {
      values[back - 1] = history[history.size() - back * season + phase];
    }
    std::ranges::sort(values);
    profile[phase] = (values[(cycles - 1) / 2] + values[cycles / 2]) / 2;
  }
  return RepeatCycle(profile, season, horizon);
}

std::vector<double> ExtrapolateLine(std::span<const double> history,
                                    size_t horizon) {
  const double n = static_cast<double>(history.size());
  const double middle = (n - 1) / 2;
  double mean = 0, product = 0;
  for (size_t t = 0; t < history.size(); ++t) {
    mean += history[t] / n;
    product += (static_cast<double>(t) - middle) * history[t];
  }
  const double slope = n > 1 ? product / (n * (n * n - 1) / 12) : 0;
  std::vector<double> ahead(horizon);
  for (size_t i = 0; i < horizon; ++i) {
    ahead[i] = mean + slope * (n + static_cast<double>(i) - middle);
  }
  return ahead;
}

std::vector<double> ExtrapolateHarmonics(std::span<const double> history,
                                         std::span<const double> cycles,
                                         size_t horizon) {
  const auto waves = Waves(cycles, history.size());
  const auto n = static_cast<Eigen::Index>(history.size());
  const RowMajor all = MakeDesign(history.size() + horizon, waves);
  const auto design = all.topRows(n);
  const Eigen::Map<const Eigen::VectorXd> y(history.data(), n);
  Eigen::MatrixXd gram = design.transpose() * design;
  gram.diagonal().array() += 1e-6 * static_cast<double>(n);  // few cycles
  const Eigen::VectorXd weights = gram.ldlt().solve(design.transpose() * y);
  const Eigen::VectorXd residual = y - design * weights;
  // Residuals remember the recent past: their autocorrelation at lag 1.
  double square = 0, product = 0;
  for (Eigen::Index t = 1; t < n; ++t) {
    square += residual[t] * residual[t];
    product += residual[t] * residual[t - 1];
  }
  const double memory =
      square > 0 ? std::clamp(product / square, 0.0, 0.999) : 0;
  std::vector<double> ahead(horizon);
  double recent = residual[n - 1];
  for (size_t i = 0; i < horizon; ++i) {
    recent *= memory;
    ahead[i] = all.row(n + static_cast<Eigen::Index>(i)).dot(weights) + recent;
  }
  return ahead;
}

}  // namespace mete
