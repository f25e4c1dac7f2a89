// Whether a series stays at one level: drift, and jumps between two levels.
#pragma once

#include <optional>
#include <span>
#include <string>

namespace mete {

// The series moves: its last third lies off its first.
struct Drift {
  double change = 0;        // of the median, relative: 0.14 is 14 % slower
  double significance = 0;  // in standard errors
};

// The series jumps between two levels.
struct TwoLevels {
  double low = 0;        // median of the lower part
  double high = 0;       // median of the upper part
  double low_share = 0;  // of the values, 0 to 1
  double valley = 0;     // density between the levels over that at the lesser
  double significance = 0;  // of the valley, in standard errors
};

// Least change worth an alarm: more than the width of the ±2 % interval asked
// for by default, so a series that passes it could have moved the result.
inline constexpr double kLeastDrift = 0.03;
// Standard errors. A third of a series that depends on its past looks steadier
// than it is, hence 6 instead of the usual 3.
inline constexpr double kDriftSignificance = 6;
// Independent values in a third; with fewer, slow wandering cannot be told
// from drift, and series of fewer than 75 values are not judged. With 20, false
// alarms reached 1.2 % on 60 values of AR(1) with phi 0.95; with 25 they stay
// at 0.6 % or less up to phi 0.98.
inline constexpr double kFewestInAThird = 25;

// Levels nearer than this lead to the same decisions.
inline constexpr double kLeastGap = 0.05;
// A level visited less often is a tail, which p95 and p99 describe.
inline constexpr double kLeastShare = 0.1;
// Between two real levels the density falls to half of the lesser peak; two
// halves of one hump have none between them.
inline constexpr double kDeepestValley = 0.5;
// Standard errors. Otsu's cut puts the valley of one hump where it is densest,
// so chance has to work against the grain and 2.5 suffice.
inline constexpr double kValleySignificance = 2.5;

// Absent when there is none, or when the series is too short to tell. Both
// take positive values in the order of their making, warm-up removed.
std::optional<Drift> FindDrift(std::span<const double> series);
std::optional<TwoLevels> FindTwoLevels(std::span<const double> series);

// "drifts: the last third is 14.0 % slower than the first"
std::string Describe(const Drift& drift);
// "two levels: 62 % near 8.10 ms, 38 % near 12.3 ms"; values are seconds.
std::string Describe(const TwoLevels& levels);

}  // namespace mete
