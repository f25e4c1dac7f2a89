#include "contention/pressure_network.h"

#include <algorithm>
#include <cmath>

namespace mete {
namespace {

// The largest of the pieces and 0.
double StressOf(const ServiceHead& head, double demand,
                const PressureVector& sum) {
  double stress = 0;
  for (const PressurePiece& piece : head.pieces) {
    stress = std::max(
        stress, piece.constant + piece.own * demand + Dot(piece.slope, sum));
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

// Index of the piece, from 0, that holds at a logarithm of the utilisation.
size_t CurvePieceAt(double log_utilisation) {
  const auto& logs = LogKnots();
  size_t piece = 0;
  while (piece + 2 < logs.size() && log_utilisation > logs[piece + 1]) ++piece;
  return piece;
}

double CurveAt(const SojournCurve& curve, double log_utilisation) {
  const auto& logs = LogKnots();
  if (log_utilisation <= logs[0]) return curve.values[0];
  if (log_utilisation >= logs.back()) {
    return curve.values.back() + log_utilisation - logs.back();
  }
  const size_t i = CurvePieceAt(log_utilisation);
  const double slope =
      (curve.values[i + 1] - curve.values[i]) / (logs[i + 1] - logs[i]);
  return curve.values[i] + slope * (log_utilisation - logs[i]);
}

// ln of the sojourn time as a function of ln T, which it grows with.
struct Sojourn {
  const SojournCurve& curve;
  double offset;
  double alone;     // ln T without contention
  double log_rate;  // -infinity: no load

  double At(double log_mean) const {
    return log_mean + offset + curve.kappa * (log_mean - alone) +
           CurveAt(curve, log_rate + log_mean);
  }
};

// The largest ln T at which the sojourn time is within its limit. Looks at the
// pieces of the curve from the top: the first that starts within the limit
// holds the solution.
double LargestLogMean(const Sojourn& sojourn, double log_limit) {
  const auto& logs = LogKnots();
  const double last = logs.back() - sojourn.log_rate;
  if (const double at_last = sojourn.At(last); at_last <= log_limit) {
    return last + (log_limit - at_last) / (2 + sojourn.curve.kappa);
  }
  for (size_t i = logs.size() - 1; i-- > 0;) {
    const double from = logs[i] - sojourn.log_rate;
    const double at_from = sojourn.At(from);
    if (at_from > log_limit) continue;
    const double slope =
        (sojourn.curve.values[i + 1] - sojourn.curve.values[i]) /
        (logs[i + 1] - logs[i]);
    return from + (log_limit - at_from) / (1 + sojourn.curve.kappa + slope);
  }
  const double first = logs[0] - sojourn.log_rate;  // the curve is flat below
  return first + (log_limit - sojourn.At(first)) / (1 + sojourn.curve.kappa);
}

PressureRegion RegionBelow(const ServiceHead& head, double demand,
                           double stress) {
  PressureRegion region;
  if (stress < 0) {
    region.rows.push_back({.weights = {}, .bound = -1});
    return region;
  }
  for (const PressurePiece& piece : head.pieces) {
    region.rows.push_back(
        {.weights = piece.slope,
         .bound = stress - piece.constant - piece.own * demand});
  }
  return region;
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
  std::array<double, kTimeKinds * kTimeStatistics> times{};
  for (size_t s = 0; s < kTimeStatistics; ++s) {
    times[s] = known.service[s].offset +
               LogSlowdown(gamma, StressOf(known.service[s], demand, sum));
  }
  const double log_rate = std::log(rate);
  for (size_t s = 0; s < kTimeStatistics; ++s) {
    times[kTimeStatistics + s] = Sojourn{.curve = sojourn[s],
                                         .offset = known.sojourn_offsets[s],
                                         .alone = known.service[0].offset,
                                         .log_rate = log_rate}
                                     .At(times[0]);
  }
  return times;
}

PressureRegion PressureNetwork::RegionOf(size_t application, double rate,
                                         const TimeLabel& label,
                                         double log_limit) const {
  const PressureApplication& known = applications[application];
  const double demand = DemandOf(application, rate);
  const auto s = static_cast<size_t>(label.statistic);
  if (label.kind == TimeKind::kService) {
    const ServiceHead& head = known.service[s];
    return RegionBelow(head, demand, StressAt(gamma, log_limit - head.offset));
  }
  const ServiceHead& mean = known.service[0];
  const double log_mean = LargestLogMean({.curve = sojourn[s],
                                          .offset = known.sojourn_offsets[s],
                                          .alone = mean.offset,
                                          .log_rate = std::log(rate)},
                                         log_limit);
  return RegionBelow(mean, demand, StressAt(gamma, log_mean - mean.offset));
}

}  // namespace mete
