// Detects that a series does not stay at one level: drift, and jumps between
// two levels.
#pragma once

#include <optional>
#include <span>
#include <string>

namespace mete {

// The series drifts: the level of its last third differs from its first.
struct Drift {
  double change = 0;        // of the median, relative: 0.14 is 14 % slower
  double significance = 0;  // in standard errors
};

// The series jumps between two levels.
struct TwoLevels {
  double low = 0;        // median of the lower part
  double high = 0;       // median of the upper part
  double low_share = 0;  // of the values, 0 to 1
  double valley = 0;  // density between the levels, relative to the lower peak
  double significance = 0;  // of the valley, in standard errors
};

// Smallest drift that is reported: more than the width of the ±2 % interval
// that is requested by default, so a drift above it could have moved the
// result.
inline constexpr double kLeastDrift = 0.03;
// In standard errors. A third of a dependent series looks steadier than it is,
// hence 6 instead of the usual 3.
inline constexpr double kDriftSignificance = 6;
// Minimum number of independent values in a third; with fewer, slow
// fluctuations cannot be distinguished from drift. Series of fewer than 75
// values are not judged. With 20, false alarms reached 1.2 % on 60 values of
// AR(1) with phi 0.95; with 25 they stay at 0.6 % or less up to phi 0.98.
inline constexpr double kFewestInAThird = 25;

// Levels closer than this lead to the same decisions.
inline constexpr double kLeastGap = 0.05;
// A level with fewer values is a tail, which p95 and p99 describe.
inline constexpr double kLeastShare = 0.1;
// Between two real levels the density falls to half of the smaller peak; the
// two halves of a single peak have no valley between them.
inline constexpr double kDeepestValley = 0.5;
// In standard errors. For a single peak, Otsu's cut puts the valley where it is
// densest, so chance works against a false alarm and 2.5 suffices.
inline constexpr double kValleySignificance = 2.5;

// Absent when there is none, or the series is too short to judge. Both expect
// positive values in their original order, with warm-up removed.
std::optional<Drift> FindDrift(std::span<const double> series);
std::optional<TwoLevels> FindTwoLevels(std::span<const double> series);

// "drifts: the last third is 14.0 % slower than the first"
std::string Describe(const Drift& drift);
// "two levels: 62 % near 8.10 ms, 38 % near 12.3 ms"; values are seconds.
std::string Describe(const TwoLevels& levels);

}  // namespace mete
