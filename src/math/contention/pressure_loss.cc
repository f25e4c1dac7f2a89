// The loss of networks of pressures and its gradient, written by hand: half a
// millisecond for a campaign.
#include <algorithm>
#include <cmath>

#include "contention/pressure_training.h"
#include "support/check.h"

namespace mete {
namespace {

// Scale of the errors in log time, as in the likelihood of a Laplace
// distribution.
constexpr double kErrorScale = 0.1;
// Where the absolute error turns into a square. The error of the mean is
// squared further out: a mean has larger outliers than a quantile.
constexpr double kQuantileRounding = 0.03;
constexpr double kMeanRounding = 0.1;
// Beyond the region of objectives, and for tenants that could not keep up.
constexpr double kFarWeight = 0.3;

// A smooth absolute error and its derivative.
struct Deviation {
  double loss = 0;
  double slope = 0;
};
Deviation SmoothAbsolute(double error, double rounding) {
  const double root = std::sqrt(error * error + rounding * rounding);
  return {.loss = (root - rounding) / kErrorScale,
          .slope = error / root / kErrorScale};
}

// A p99 of forty requests says little: the number of requests beyond the
// quantile, against twenty.
double TrustIn(TimeStatistic statistic, uint64_t answered) {
  constexpr std::array<double, kTimeStatistics> kBeyond = {0.5, 0.5, 0.25, 0.05,
                                                           0.01};
  const double beyond =
      kBeyond[static_cast<size_t>(statistic)] * static_cast<double>(answered);
  return beyond / (beyond + 5);
}

// The piece of a head that decides, and its value; none if that is 0.
struct Stress {
  double value = 0;
  std::optional<size_t> piece;
};
Stress StressIn(const ServiceHead& head, double demand,
                const PressureVector& others) {
  Stress stress;
  for (size_t j = 0; j < head.pieces.size(); ++j) {
    const PressurePiece& piece = head.pieces[j];
    const double value =
        piece.constant + piece.own * demand + Dot(piece.slope, others);
    if (value > stress.value) stress = {.value = value, .piece = j};
  }
  return stress;
}

void PushService(const Stress& stress, double slope, double demand,
                 const PressureVector& others, const PressureNetwork& network,
                 const ServiceHead& head, ServiceHead& slopes, double& by_gamma,
                 PressureVector& by_others) {
  slopes.offset += slope;
  if (!stress.piece) return;
  const double gamma = network.gamma;
  const double z = stress.value;
  const double by_stress = slope / (1 + gamma * z);
  by_gamma += slope * (z / (gamma * (1 + gamma * z)) -
                       std::log1p(gamma * z) / (gamma * gamma));
  PressurePiece& piece = slopes.pieces[*stress.piece];
  piece.constant += by_stress;
  piece.own += by_stress * demand;
  piece.slope.Add(others, by_stress);
  by_others.Add(head.pieces[*stress.piece].slope, by_stress);
}

// The two knots around a utilisation and the share of the upper one.
struct Place {
  size_t below = 0;
  double share = 0;
};
Place PlaceOf(double log_utilisation) {
  constexpr size_t kLast = kUtilisationKnots.size() - 2;
  static const auto kLogs = [] {
    auto logs = kUtilisationKnots;
    for (double& knot : logs) knot = std::log(knot);
    return logs;
  }();
  size_t i = 0;
  while (i < kLast && log_utilisation > kLogs[i + 1]) ++i;
  const double share = (log_utilisation - kLogs[i]) / (kLogs[i + 1] - kLogs[i]);
  return {.below = i, .share = std::clamp(share, 0.0, 1.0)};
}

}  // namespace

PressureTrainingSet::PressureTrainingSet(std::span<const MeasuredMix> mixes,
                                         std::vector<std::string> applications,
                                         std::span<const double> weights)
    : applications_(std::move(applications)) {
  const auto alone = FindTimesAlone(mixes);
  for (const std::string& name : applications_) {
    auto found = alone.find(name);
    alone_.push_back(found == alone.end() ? TimesAlone() : found->second);
    // An application without an answered request has no scale of its own.
    if (!alone_.back()[0]) alone_.back()[0] = 1;
  }
  for (size_t m = 0; m < mixes.size(); ++m) {
    const double weight = weights.empty() ? 1 : weights[m];
    if (weight == 0) continue;
    const size_t begin = rows_.size();
    for (const MixObservation& from : mixes[m].rows) {
      auto found =
          std::ranges::lower_bound(applications_, from.tenant.application);
      CHECK(found != applications_.end() && *found == from.tenant.application)
          << "an application that the predictor does not have";
      const auto a = static_cast<size_t>(found - applications_.begin());
      Row row{.application = a,
              .instances = static_cast<double>(from.tenant.instances),
              .demand = from.tenant.rate * *alone_[a][0]};
      AddTargets(from, weight, row);
      rows_.push_back(std::move(row));
      if (from.cores > 0) cores_ = from.cores;
      if (!from.saturated) {
        const double mean = from.service.mean.value_or(0);
        stable_utilisation_ =
            std::max(stable_utilisation_, from.tenant.rate * mean);
        largest_slowdown_ = std::max(largest_slowdown_, mean / *alone_[a][0]);
      }
    }
    groups_.push_back({.begin = begin, .end = rows_.size()});
  }
}

void PressureTrainingSet::AddTargets(const MixObservation& from, double weight,
                                     Row& row) const {
  const TimesAlone& alone = alone_[row.application];
  for (const TimeLabel& label : AllTimeLabels()) {
    std::optional<double> time = MeasuredTime(from, label);
    if (!time) continue;
    const size_t i = IndexOf(label);
    Target target{.label = i,
                  .log_time = std::log(*time / *alone[0]),
                  .weight = weight * TrustIn(label.statistic, from.answered)};
    if (from.saturated || *time > kSloRegion * alone[i].value_or(*time)) {
      target.weight *= kFarWeight;
    }
    target.least = from.saturated && label.kind == TimeKind::kSojourn;
    row.targets.push_back(target);
  }
}

double PressureTrainingSet::RowLoss(const Row& row,
                                    const PressureVector& others,
                                    const PressureNetwork& network,
                                    PressureNetwork& slopes,
                                    PressureVector& by_others) const {
  const PressureApplication& known = network.applications[row.application];
  PressureApplication& known_slopes = slopes.applications[row.application];
  std::array<Stress, kTimeStatistics> stresses;
  std::array<double, kTimeStatistics> slowdowns{};
  for (size_t s = 0; s < kTimeStatistics; ++s) {
    stresses[s] = StressIn(known.service[s], row.demand, others);
    slowdowns[s] =
        std::log1p(network.gamma * stresses[s].value) / network.gamma;
  }
  const double log_mean = known.service[0].offset + slowdowns[0];
  const double waiting = std::min(slowdowns[0], std::log(largest_slowdown_));
  const Place place = PlaceOf(std::log(row.demand) + log_mean);
  double loss = 0;
  for (const Target& target : row.targets) {
    const size_t s = target.label % kTimeStatistics;
    const bool service = target.label < kTimeStatistics;
    const SojournCurve& curve = network.sojourn[s];
    const double predicted =
        service ? known.service[s].offset + slowdowns[s]
                : log_mean + known.sojourn_offsets[s] + curve.kappa * waiting +
                      curve.values[place.below] * (1 - place.share) +
                      curve.values[place.below + 1] * place.share;
    const double error = predicted - target.log_time;
    if (target.least && error >= 0) continue;
    const Deviation deviation =
        SmoothAbsolute(error, s == 0 ? kMeanRounding : kQuantileRounding);
    loss += target.weight * deviation.loss;
    const double slope = target.weight * deviation.slope;
    if (service) {
      PushService(stresses[s], slope, row.demand, others, network,
                  known.service[s], known_slopes.service[s], slopes.gamma,
                  by_others);
      continue;
    }
    // Sojourn times do not change the mean service time they build upon:
    // waiting must not be learnt as work.
    known_slopes.sojourn_offsets[s] += slope;
    slopes.sojourn[s].kappa += slope * waiting;
    slopes.sojourn[s].values[place.below] += slope * (1 - place.share);
    slopes.sojourn[s].values[place.below + 1] += slope * place.share;
  }
  return loss;
}

double PressureTrainingSet::GroupLoss(const Group& group,
                                      const PressureNetwork& network,
                                      PressureNetwork& slopes) const {
  PressureVector sum;
  for (size_t i = group.begin; i < group.end; ++i) {
    const Row& row = rows_[i];
    sum.Add(network.PressureOf(row.application, row.demand), row.instances);
  }
  PressureVector by_sum;
  std::vector<PressureVector> by_others(group.end - group.begin);
  double loss = 0;
  for (size_t i = group.begin; i < group.end; ++i) {
    const Row& row = rows_[i];
    PressureVector& by_own = by_others[i - group.begin];
    loss += RowLoss(row, network.OthersIn(sum, row.application, row.demand),
                    network, slopes, by_own);
    by_sum.Add(by_own);
  }
  for (size_t i = group.begin; i < group.end; ++i) {
    const Row& row = rows_[i];
    const DemandTerms terms = TermsOf(row.demand);
    // Every instance adds to the sum of the mix, and none to its own others.
    const PressureVector& by_own = by_others[i - group.begin];
    auto& weights = slopes.applications[row.application].weights;
    for (size_t k = 0; k < network.pressures; ++k) {
      for (size_t m = 0; m < kDemandTerms; ++m) {
        weights[k][m] +=
            (row.instances * by_sum.parts[k] - by_own.parts[k]) * terms[m];
      }
    }
  }
  return loss;
}

double PressureTrainingSet::Loss(const PressureParameters& shape,
                                 std::span<const double> parameters,
                                 std::vector<double>& gradient) const {
  const PressureNetwork network = shape.ToNetwork(parameters);
  PressureNetwork slopes = shape.Zero();
  double loss = 0;
  for (const Group& group : groups_) loss += GroupLoss(group, network, slopes);
  gradient = shape.ToGradient(parameters, slopes);
  for (size_t i = 0; i < parameters.size(); ++i) {
    const ParameterPrior& prior = shape.priors()[i];
    const double away = (parameters[i] - prior.centre) / prior.deviation;
    loss += away * away / 2;
    gradient[i] += away / prior.deviation;
  }
  return loss;
}

PressureNetwork PressureTrainingSet::InSeconds(PressureNetwork network) const {
  if (stable_utilisation_ > 0) {
    network.stable_utilisation = std::min(1.0, stable_utilisation_);
  }
  network.largest_slowdown = std::min(1e6, largest_slowdown_);
  for (size_t a = 0; a < applications_.size(); ++a) {
    PressureApplication& one = network.applications[a];
    one.service_alone = *alone_[a][0];
    for (ServiceHead& head : one.service) {
      head.offset += std::log(one.service_alone);
    }
  }
  return network;
}

}  // namespace mete
