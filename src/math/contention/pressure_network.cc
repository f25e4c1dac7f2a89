#include "contention/pressure_network.h"

#include <algorithm>
#include <cmath>

namespace mete {
namespace {

// The largest of the pieces and 0.
double StressOf(const ServiceHead& head, double demand,
                const PressureVector& others) {
  double stress = 0;
  for (const PressurePiece& piece : head.pieces) {
    stress = std::max(
        stress, piece.constant + piece.own * demand + Dot(piece.slope, others));
  }
  return stress;
}

// ln(1 + gamma z) / gamma
double LogSlowdown(double gamma, double stress) {
  return std::log1p(gamma * stress) / gamma;
}

// The stress at which LogSlowdown is `log_slowdown`; negative if none is.
double StressAt(double gamma, double log_slowdown) {
  return std::expm1(gamma * log_slowdown) / gamma;
}

const std::array<double, kUtilisationKnots.size()>& LogKnots() {
  static const auto kLogs = [] {
    std::array<double, kUtilisationKnots.size()> logs{};
    for (size_t i = 0; i < logs.size(); ++i) {
      logs[i] = std::log(kUtilisationKnots[i]);
    }
    return logs;
  }();
  return kLogs;
}

// Slope of the curve behind its i-th knot.
double CurveSlope(const SojournCurve& curve, size_t i) {
  const auto& logs = LogKnots();
  return (curve.values[i + 1] - curve.values[i]) / (logs[i + 1] - logs[i]);
}

// Utilisations are at most 1, so the last knot is never passed.
double CurveAt(const SojournCurve& curve, double log_utilisation) {
  const auto& logs = LogKnots();
  if (log_utilisation <= logs[0]) return curve.values[0];
  size_t i = 0;
  while (i + 2 < logs.size() && log_utilisation > logs[i + 1]) ++i;
  return curve.values[i] + CurveSlope(curve, i) * (log_utilisation - logs[i]);
}

// ln of the sojourn time as a function of ln T, which it grows with.
struct Sojourn {
  const SojournCurve& curve;
  double offset;
  double kappa;
  double alone;     // ln T without contention
  double log_rate;  // -infinity: no load
  double log_stable;

  double At(double log_mean) const {
    return log_mean + offset + kappa * (log_mean - alone) +
           CurveAt(curve, std::min(log_rate + log_mean, log_stable));
  }
};

// The sojourn time is the smaller one of these: up to the largest slowdown of
// the training, and beyond.
struct SojournParts {
  Sojourn seen;
  Sojourn beyond;

  double At(double log_mean) const {
    return std::min(seen.At(log_mean), beyond.At(log_mean));
  }
};
SojournParts SojournPartsOf(const PressureNetwork& network, size_t application,
                            size_t statistic, double rate) {
  const PressureApplication& known = network.applications[application];
  const SojournCurve& curve = network.sojourn[statistic];
  const Sojourn seen{.curve = curve,
                     .offset = known.sojourn_offsets[statistic],
                     .kappa = curve.kappa,
                     .alone = known.service[0].offset,
                     .log_rate = std::log(rate),
                     .log_stable = std::log(network.stable_utilisation)};
  Sojourn beyond = seen;
  beyond.kappa = 0;
  beyond.offset += curve.kappa * std::log(network.largest_slowdown);
  return {.seen = seen, .beyond = beyond};
}

// The largest ln T at which the tenant keeps up and its sojourn time is within
// the limit. Looks at the pieces of the curve from the top: the first that
// starts within the limit holds the solution.
double LargestLogMean(const Sojourn& sojourn, double log_limit) {
  const auto& logs = LogKnots();
  const double last = sojourn.log_stable - sojourn.log_rate;
  if (sojourn.At(last) <= log_limit) return last;
  for (size_t i = logs.size() - 1; i-- > 0;) {
    const double from = logs[i] - sojourn.log_rate;
    if (from >= last) continue;
    const double at_from = sojourn.At(from);
    if (at_from > log_limit) continue;
    return from + (log_limit - at_from) /
                      (1 + sojourn.kappa + CurveSlope(sojourn.curve, i));
  }
  const double first = logs[0] - sojourn.log_rate;  // the curve is flat below
  return first + (log_limit - sojourn.At(first)) / (1 + sojourn.kappa);
}

// What rows need to know of the tenant that they are for.
struct RowTenant {
  double demand = 0;
  PressureVector own;  // pressure of one instance
};

// Adds the rows that keep the stress of a head at most this.
void AddRows(const ServiceHead& head, const RowTenant& tenant, double stress,
             PressureRegion& region) {
  if (stress < 0) {
    region.rows.push_back({.weights = {}, .bound = -1});
    return;
  }
  for (const PressurePiece& piece : head.pieces) {
    region.rows.push_back({.weights = piece.slope,
                           .bound = stress - piece.constant -
                                    piece.own * tenant.demand +
                                    Dot(piece.slope, tenant.own)});
  }
}

}  // namespace

DemandTerms TermsOf(double demand) { return {1, demand, -std::expm1(-demand)}; }

PressureVector PressureNetwork::PressureOf(size_t application,
                                           double rate) const {
  const PressureApplication& known = applications[application];
  const DemandTerms terms = TermsOf(DemandOf(application, rate));
  PressureVector pressure;
  for (size_t k = 0; k < pressures; ++k) {
    for (size_t m = 0; m < kDemandTerms; ++m) {
      pressure.parts[k] += known.weights[k][m] * terms[m];
    }
  }
  return pressure;
}

std::array<double, kTimeKinds * kTimeStatistics> PressureNetwork::LogTimes(
    size_t application, double rate, const PressureVector& sum) const {
  const PressureApplication& known = applications[application];
  const double demand = DemandOf(application, rate);
  const PressureVector others = OthersIn(sum, application, rate);
  std::array<double, kTimeKinds * kTimeStatistics> times{};
  for (size_t s = 0; s < kTimeStatistics; ++s) {
    times[s] = known.service[s].offset +
               LogSlowdown(gamma, StressOf(known.service[s], demand, others));
  }
  for (size_t s = 0; s < kTimeStatistics; ++s) {
    times[kTimeStatistics + s] =
        SojournPartsOf(*this, application, s, rate).At(times[0]);
  }
  return times;
}

bool PressureNetwork::Saturates(double rate, double log_mean) const {
  return std::log(rate) + log_mean > std::log(stable_utilisation);
}

PressureRegion PressureNetwork::RegionOf(size_t application, double rate,
                                         const TimeLabel& label,
                                         double log_limit) const {
  const PressureApplication& known = applications[application];
  const RowTenant tenant{.demand = DemandOf(application, rate),
                         .own = PressureOf(application, rate)};
  const auto s = static_cast<size_t>(label.statistic);
  const ServiceHead& mean = known.service[0];
  PressureRegion region;
  double log_mean = std::log(stable_utilisation) - std::log(rate);
  if (label.kind == TimeKind::kSojourn) {
    // The smaller of both parts has to be within the limit, so either may be.
    const SojournParts parts = SojournPartsOf(*this, application, s, rate);
    log_mean = std::max(LargestLogMean(parts.seen, log_limit),
                        LargestLogMean(parts.beyond, log_limit));
  } else if (label.statistic == TimeStatistic::kMean) {
    log_mean = std::min(log_mean, log_limit);
  } else {
    const ServiceHead& head = known.service[s];
    AddRows(head, tenant, StressAt(gamma, log_limit - head.offset), region);
  }
  AddRows(mean, tenant, StressAt(gamma, log_mean - mean.offset), region);
  return region;
}

}  // namespace mete
