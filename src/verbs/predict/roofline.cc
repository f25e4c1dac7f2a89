#include "predict/roofline.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "stats/quantile.h"

namespace mete {
namespace {

// 0: the class has no compute rate and only moves bytes.
double ComputeRate(WorkClass work, const EngineSpeed& speed) {
  switch (work) {
    case WorkClass::kPointwise:
    case WorkClass::kGemm:
    case WorkClass::kAttention:
    case WorkClass::kRnn:
      return speed.gemm_flops_per_second;
    case WorkClass::kSpatial:
      return speed.conv_flops_per_second;
    case WorkClass::kDepthwise:
      return speed.depthwise_flops_per_second;
    default:
      return 0;
  }
}

// Loads closer together than this (10 % more time) show mostly noise.
constexpr double kLeastLoadStep = 0.1;
constexpr size_t kFewestSlopes = 3;

double Quotient(double work, double rate) { return rate > 0 ? work / rate : 0; }

// Slopes of log seconds over log slowdown between neighbouring loads of a pair,
// by device and position among the loads.
std::map<std::pair<std::string, size_t>, std::vector<double>> LoadSlopes(
    std::span<const LoadRow> rows) {
  std::map<std::string, std::vector<const LoadRow*>> pairs;
  for (const LoadRow& row : rows) pairs[row.pair].push_back(&row);
  std::map<std::pair<std::string, size_t>, std::vector<double>> slopes;
  for (auto& [name, loads] : pairs) {
    std::ranges::sort(loads, {}, &LoadRow::slowdown);
    for (size_t i = 1; i < loads.size(); ++i) {
      double x = std::log(loads[i]->slowdown / loads[i - 1]->slowdown);
      if (x < kLeastLoadStep) continue;
      slopes[{loads[i]->device, i}].push_back(
          std::log(loads[i]->seconds / loads[i - 1]->seconds) / x);
    }
  }
  return slopes;
}

}  // namespace

RooflineTerms ComputeTerms(const NetworkTraits& network,
                           const EngineSpeed& speed) {
  RooflineTerms terms;
  for (size_t i = 0; i < kWorkClasses; ++i) {
    const ClassWork& work = network.work[i];
    double compute =
        Quotient(work.flops, ComputeRate(static_cast<WorkClass>(i), speed));
    terms[i] = std::max(
        compute, Quotient(work.bytes, speed.elementwise_bytes_per_second));
  }
  terms[kOverheadTerm] = network.nodes * speed.node_seconds;
  return terms;
}

double Slowdown(const DeviceConditions& conditions) {
  double requested =
      std::min(conditions.cpus, static_cast<double>(conditions.threads));
  // The scheduler is fair: every process gets at least a twentieth.
  double left = conditions.cpus * std::max(0.05, 1 - conditions.load);
  return std::max(1.0, requested / left);
}

double Roofline::Seconds(const RooflineTerms& terms, double slowdown) const {
  double sum = std::accumulate(terms.begin(), terms.end(), 0.0);
  return std::max(sum, 1e-9) * std::pow(slowdown, load_exponent);
}

double LoadExponent(std::span<const LoadRow> rows) {
  std::optional<double> smallest;
  for (const auto& [where, slopes] : LoadSlopes(rows)) {
    if (slopes.size() < kFewestSlopes) continue;
    double slope = *Quantile(slopes, 0.5);
    smallest = std::min(smallest.value_or(slope), slope);
  }
  return std::clamp(smallest.value_or(1), 0.0, 1.0);
}

}  // namespace mete
