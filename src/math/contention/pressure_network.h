// The function behind pressures: applications are numbers here, times are
// logarithms of seconds. docs/internals/contention.md explains the symbols.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "contention/contention_predictor.h"
#include "contention/pressure.h"

namespace mete {

// Terms of the demand u of one instance (its rate times its service time alone)
// that make up a pressure: 1, u and 1 - exp(-u). None falls with u.
inline constexpr size_t kDemandTerms = 3;
using DemandTerms = std::array<double, kDemandTerms>;
DemandTerms TermsOf(double demand);

// One affine piece of a head: constant + slope . p + own * u. Slopes and `own`
// are not negative.
struct PressurePiece {
  double constant = 0;
  PressureVector slope;
  double own = 0;
};

// The service time of one application and statistic:
//   ln T = offset + ln(1 + gamma z) / gamma,  z = max(0, pieces).
// T is monotone and convex in p. Pieces of a higher quantile are nowhere below
// those of a lower one, so quantiles do not cross.
struct ServiceHead {
  double offset = 0;
  std::vector<PressurePiece> pieces;
};

// The sojourn time of one statistic, over the predicted mean service time T:
//   ln S = ln T + offset of the application + kappa ln(1 + gamma z) / gamma
//          + F(ln(rate T)),
// where F is linear between kUtilisationKnots, does not fall, is flat below the
// first knot and has the slope 1 beyond the last: overload was hardly ever
// measured there, and a steep piece must not be continued. Between knots, the
// slopes of a higher quantile are not below those of a lower one.
inline constexpr std::array<double, 11> kUtilisationKnots = {
    0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95, 1.1, 2.0};
struct SojournCurve {
  double kappa = 0;
  std::array<double, kUtilisationKnots.size()> values{};
};

// What the network knows of one application.
struct PressureApplication {
  double service_alone = 0;  // seconds; makes a demand of a rate
  // weights[k][m] of term m in pressure k; not negative
  std::array<DemandTerms, kMostPressures> weights{};
  std::array<ServiceHead, kTimeStatistics> service;
  std::array<double, kTimeStatistics> sojourn_offsets{};
};

// Evaluates and inverts; a plain value.
struct PressureNetwork {
  size_t pressures = 1;  // 1 to kMostPressures
  double gamma = 1;      // in (0, 1]
  std::vector<PressureApplication> applications;
  std::array<SojournCurve, kTimeStatistics> sojourn;

  double DemandOf(size_t application, double rate) const {
    return rate * applications[application].service_alone;
  }
  // Of one instance.
  PressureVector PressureOf(size_t application, double rate) const;
  // ln seconds of all labels, in the order of AllTimeLabels(). `sum` includes
  // the pressure of the tenant itself.
  std::array<double, kTimeKinds * kTimeStatistics> LogTimes(
      size_t application, double rate, const PressureVector& sum) const;
  // The sums under which the time of this label is at most exp(log_limit).
  PressureRegion RegionOf(size_t application, double rate,
                          const TimeLabel& label, double log_limit) const;
};

}  // namespace mete
