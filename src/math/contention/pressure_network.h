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

// One affine piece of a head: constant + slope . q + own * u, where q is the
// sum of pressures without that of the instance itself: it has one worker, so
// it never waits for itself. Slopes and `own` are not negative.
struct PressurePiece {
  double constant = 0;
  PressureVector slope;
  double own = 0;
};

// The service time of one application and statistic:
//   ln T = offset + ln(1 + gamma z) / gamma,  z = max(0, pieces).
// T is monotone and convex in q. Pieces of a higher quantile are nowhere below
// those of a lower one, so quantiles do not cross.
struct ServiceHead {
  double offset = 0;
  std::vector<PressurePiece> pieces;
};

// The sojourn time of one statistic, over the predicted mean service time T:
//   ln S = ln T + offset of the application + kappa ln(1 + gamma z) / gamma
//          + F(ln(rate T)),
// where the term with kappa stops growing at PressureNetwork::largest_slowdown,
// and F is linear between kUtilisationKnots, does not fall, and is flat below
// the first knot and beyond PressureNetwork::stable_utilisation: a queue that
// grows has no level that could be learnt. Between knots, the slopes of a
// higher quantile are not below those of a lower one.
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
  // The highest utilisation (rate times mean service time) at which a tenant
  // kept up in training; in (0, 1], because no queue is stable beyond 1.
  double stable_utilisation = 1;
  // The largest slowdown of the mean service time at which a tenant kept up in
  // training; at least 1. Beyond it, waiting grows as the service time does,
  // and not with a power of it that nobody measured.
  double largest_slowdown = 1e6;
  std::vector<PressureApplication> applications;
  std::array<SojournCurve, kTimeStatistics> sojourn;

  double DemandOf(size_t application, double rate) const {
    return rate * applications[application].service_alone;
  }
  // Of one instance.
  PressureVector PressureOf(size_t application, double rate) const;
  // What slows an instance down: a sum of pressures that includes it, without
  // its own.
  PressureVector OthersIn(const PressureVector& sum, size_t application,
                          double rate) const {
    PressureVector others = sum;
    return others.Add(PressureOf(application, rate), -1);
  }
  // ln seconds of all labels, in the order of AllTimeLabels(). `sum` includes
  // the pressure of the tenant itself. The sojourn times of a saturated tenant
  // are lower bounds.
  std::array<double, kTimeKinds * kTimeStatistics> LogTimes(
      size_t application, double rate, const PressureVector& sum) const;
  // Whether a tenant with this mean service time is busier than any that kept
  // up.
  bool Saturates(double rate, double log_mean) const;
  // The sums under which the time of this label is at most exp(log_limit) and
  // the tenant is not saturated.
  PressureRegion RegionOf(size_t application, double rate,
                          const TimeLabel& label, double log_limit) const;
};

}  // namespace mete
