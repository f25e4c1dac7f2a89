#include "predict/calibrate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

#include "learn/transfer.h"
#include "predict/roofline.h"

namespace mete {
namespace {

// Quantile of the normal distribution for the 90 % interval.
constexpr double kNormalRadius = 1.645;

// How much a factor of e in size, and in slowdown by load, may change the
// error, relative to a change of the work class.
constexpr double kSizeWeight = 0.3;
constexpr double kLoadWeight = 0.5;

// Candidate variances of log seconds. Ten rows cannot distinguish finer steps.
constexpr double kClassVariances[] = {0.01, 0.1, 0.5};
constexpr double kNeighbourVariances[] = {0.01, 0.05};
constexpr double kNoises[] = {0.002, 0.01, 0.04};
constexpr double kNeighbourLength = 0.5;

// Kernels divide by the number of columns. The point is scaled so that two
// networks of a single work class have the product 1.
std::vector<double> MakePoint(const NetworkTraits& network,
                              const DeviceConditions& conditions) {
  RooflineTerms terms = ComputeTerms(network, conditions.speed);
  double sum = std::accumulate(terms.begin(), terms.end(), 0.0);
  double scale = std::sqrt(static_cast<double>(terms.size()) + 2);
  std::vector<double> point;
  for (double term : terms) {
    point.push_back(sum > 0 ? scale * term / sum : 0);
  }
  // Centred at 10 ms, to keep this apart from the constant of the kernel.
  point.push_back(scale * kSizeWeight * std::log(std::max(sum, 1e-9) / 0.01));
  point.push_back(scale * kLoadWeight * std::log(Slowdown(conditions)));
  return point;
}

Result<GaussianProcess> MostLikely(const Points& points,
                                   std::span<const double> errors) {
  std::optional<GaussianProcess> best;
  for (double linear : kClassVariances) {
    for (double rbf : kNeighbourVariances) {
      for (double noise : kNoises) {
        Result<GaussianProcess> tried =
            GaussianProcess::Fit(points, errors,
                                 {.rbf_variance = rbf,
                                  .length = kNeighbourLength,
                                  .linear_variance = linear,
                                  .constant = 1,
                                  .noise = noise});
        if (!tried.ok()) return tried.error();
        if (!best || tried->log_likelihood() > best->log_likelihood()) {
          best = std::move(tried).value();
        }
      }
    }
  }
  return *std::move(best);
}

bool IsUsable(const LatencyRow& row) {
  return row.outcome == OutcomeKind::kCompleted && row.seconds &&
         *row.seconds > 0 && ConditionsFor(row);
}

}  // namespace

CalibratedPredictor::CalibratedPredictor(
    std::shared_ptr<const TreePredictor> base, const LatencyRow& any,
    size_t rows, GaussianProcess errors)
    : base_(std::move(base)),
      device_(any.device),
      cpus_(any.cpus),
      threads_(any.threads),
      rows_(rows),
      errors_(std::move(errors)),
      origin_(fmt::format("{}, calibrated for {} (runs: {})", base_->origin(),
                          device_, rows_)) {}

Result<CalibratedPredictor> CalibratedPredictor::Fit(
    std::shared_ptr<const TreePredictor> base,
    std::span<const LatencyRow> rows) {
  if (base->parts().kind != FeatureKind::kFull ||
      base->parts().quantity != Quantity::kSeconds) {
    return InvalidInput(
        "calibrate: expected a latency predictor that uses traits");
  }
  Points points;
  std::vector<double> errors;
  for (const LatencyRow& row : rows) {
    if (row.device != rows[0].device) {
      return InvalidInput(
          fmt::format("calibrate: the runs are of two devices, {} and {}",
                      rows[0].device, row.device));
    }
    if (!IsUsable(row)) continue;
    DeviceConditions conditions = *ConditionsFor(row);
    points.push_back(MakePoint(row.network, conditions));
    errors.push_back(std::log(
        *row.seconds / base->Predict(ToQuestion(row), conditions).value));
  }
  if (points.empty()) {
    return InvalidInput(
        "calibrate: no completed run on a device of known speed");
  }
  ASSIGN_OR_RETURN(GaussianProcess process, MostLikely(points, errors));
  return CalibratedPredictor(std::move(base), rows[0], points.size(),
                             std::move(process));
}

bool CalibratedPredictor::Concerns(const ClusterNode& node) const {
  if (node.name != device_) return false;
  std::optional<DeviceConditions> conditions = ConditionsFor(node);
  return conditions && conditions->cpus == cpus_ &&
         conditions->threads == threads_;
}

Estimate CalibratedPredictor::Corrected(
    const Estimate& predicted, const NetworkQuestion& question,
    const DeviceConditions& conditions) const {
  if (!question.traits) return predicted;
  GaussianEstimate error =
      errors_.Predict(MakePoint(*question.traits, conditions));
  double deviation = std::sqrt(error.variance + errors_.kernel().noise);
  double before = std::log(predicted.high / predicted.value);
  double radius = std::max(before, kNormalRadius * deviation);
  Estimate corrected = predicted;
  corrected.value = predicted.value * std::exp(error.mean);
  corrected.low = corrected.value * std::exp(-radius);
  corrected.high = corrected.value * std::exp(radius);
  return corrected;
}

std::vector<Estimate> CalibratedPredictor::Predict(
    const NetworkQuestion& question, std::span<const ClusterNode* const> nodes,
    Detail detail) const {
  std::vector<Estimate> estimates = base_->Predict(question, nodes, detail);
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (!Concerns(*nodes[i])) continue;
    estimates[i] = Corrected(estimates[i], question, *ConditionsFor(*nodes[i]));
  }
  return estimates;
}

Estimate CalibratedPredictor::Predict(
    const NetworkQuestion& question, const DeviceConditions& conditions) const {
  return Corrected(base_->Predict(question, conditions), question, conditions);
}

CalibratedDevices::CalibratedDevices(std::shared_ptr<const TreePredictor> base,
                                     std::vector<CalibratedPredictor> devices)
    : base_(std::move(base)),
      devices_(std::move(devices)),
      origin_(base_->origin()) {
  for (const CalibratedPredictor& device : devices_) {
    origin_ += fmt::format(", calibrated for {} (runs: {})", device.device(),
                           device.rows());
  }
}

std::vector<Estimate> CalibratedDevices::Predict(
    const NetworkQuestion& question, std::span<const ClusterNode* const> nodes,
    Detail detail) const {
  std::vector<Estimate> estimates = base_->Predict(question, nodes, detail);
  for (const CalibratedPredictor& device : devices_) {
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (!device.Concerns(*nodes[i])) continue;
      estimates[i] = device.Predict(question, {&nodes[i], 1}, detail).front();
    }
  }
  return estimates;
}

std::vector<size_t> ChooseCalibrationNetworks(std::span<const LatencyRow> rows,
                                              size_t count) {
  std::set<std::string> seen;
  std::vector<size_t> of_item;
  Points points;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!IsUsable(rows[i])) continue;
    if (!seen.insert(NetworkKey(rows[i])).second) continue;
    // The load of this one row is not a property of the network.
    DeviceConditions conditions = *ConditionsFor(rows[i]);
    conditions.load = 0;
    of_item.push_back(i);
    points.push_back(MakePoint(rows[i].network, conditions));
  }
  if (points.empty()) return {};
  TransferPrior prior{.blocks = {{.values = points},
                                 {.shape = CovarianceBlock::Shape::kRbf,
                                  .values = points,
                                  .length = kNeighbourLength}},
                      .weights = {{{0.1, 0.05}, 0.01}}};
  std::vector<size_t> items(points.size());
  std::iota(items.begin(), items.end(), size_t{0});
  std::vector<size_t> chosen = ChooseItems(
      prior,
      {.candidates = items, .count = count, .weights = prior.weights[0]});
  for (size_t& item : chosen) item = of_item[item];
  return chosen;
}

}  // namespace mete
