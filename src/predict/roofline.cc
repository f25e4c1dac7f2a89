#include "predict/roofline.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "stats/quantile.h"

namespace mete {
namespace {

// 0: no arithmetic rate of its own, the class only moves bytes.
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

// Loads nearer to each other tell noise: 10 % more time.
constexpr double kLeastLoadStep = 0.1;
constexpr size_t kFewestSlopes = 3;

double Quotient(double work, double rate) { return rate > 0 ? work / rate : 0; }

// Slopes of log seconds over log slowdown between neighbouring loads of a pair,
// by device and place among the loads.
std::map<std::pair<std::string, size_t>, std::vector<double>> LoadSlopes(
    std::span<const RooflineRow> rows) {
  std::map<std::string, std::vector<const RooflineRow*>> pairs;
  for (const RooflineRow& row : rows) pairs[row.pair].push_back(&row);
  std::map<std::pair<std::string, size_t>, std::vector<double>> slopes;
  for (auto& [name, loads] : pairs) {
    std::ranges::sort(loads, {}, &RooflineRow::slowdown);
    for (size_t i = 1; i < loads.size(); ++i) {
      double x = std::log(loads[i]->slowdown / loads[i - 1]->slowdown);
      if (x < kLeastLoadStep) continue;
      slopes[{loads[i]->device, i}].push_back(
          std::log(loads[i]->seconds / loads[i - 1]->seconds) / x);
    }
  }
  return slopes;
}

double LoadExponent(std::span<const RooflineRow> rows) {
  std::optional<double> smallest;
  for (const auto& [where, slopes] : LoadSlopes(rows)) {
    if (slopes.size() < kFewestSlopes) continue;
    double slope = *Quantile(slopes, 0.5);
    smallest = std::min(smallest.value_or(slope), slope);
  }
  return std::clamp(smallest.value_or(1), 0.0, 1.0);
}

// Weight of the pull towards the common factor, in rows.
constexpr double kPull = 3;

}  // namespace

RooflineTerms TermsOf(const NetworkTraits& network, const EngineSpeed& speed) {
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
  double wanted =
      std::min(conditions.cpus, static_cast<double>(conditions.threads));
  // Nobody gets less than a twentieth: the scheduler is fair.
  double left = conditions.cpus * std::max(0.05, 1 - conditions.load);
  return std::max(1.0, wanted / left);
}

double Roofline::Seconds(const RooflineTerms& terms, double slowdown) const {
  double sum = 0;
  for (size_t i = 0; i < kRooflineTerms; ++i) sum += factors[i] * terms[i];
  return std::max(sum, 1e-9) * std::pow(slowdown, load_exponent);
}

// Minimises sum_r (sum_i f_i x_ri - 1)^2 + kPull sum_i s_i (f_i - c)^2 over
// f >= 0 by coordinate descent, x_ri being term i of row r over its measured
// seconds without load, s_i the mean of x_ri^2 and c the best common factor.
Roofline FitRoofline(std::span<const RooflineRow> rows) {
  Roofline roofline;
  if (rows.empty()) return roofline;
  roofline.load_exponent = LoadExponent(rows);
  std::vector<RooflineTerms> x;
  double sum = 0;
  double square = 0;
  for (const RooflineRow& row : rows) {
    double idle = row.seconds / std::pow(row.slowdown, roofline.load_exponent);
    RooflineTerms scaled = row.terms;
    double whole = 0;
    for (double& term : scaled) whole += (term /= idle);
    sum += whole;
    square += whole * whole;
    x.push_back(scaled);
  }
  double common = square > 0 ? sum / square : 1;
  roofline.factors.fill(common);
  RooflineTerms squares{};
  for (const RooflineTerms& row : x) {
    for (size_t i = 0; i < kRooflineTerms; ++i) squares[i] += row[i] * row[i];
  }
  std::vector<double> residual;
  for (const RooflineTerms& row : x) {
    double whole = 0;
    for (double term : row) whole += common * term;
    residual.push_back(1 - whole);
  }
  auto count = static_cast<double>(rows.size());
  for (int round = 0; round < 200; ++round) {
    for (size_t i = 0; i < kRooflineTerms; ++i) {
      double pull = kPull * squares[i] / count;
      if (squares[i] + pull <= 0) continue;
      double slope = pull * (common - roofline.factors[i]);
      for (size_t r = 0; r < x.size(); ++r) slope += residual[r] * x[r][i];
      double next =
          std::max(0.0, roofline.factors[i] + slope / (squares[i] + pull));
      double change = next - roofline.factors[i];
      roofline.factors[i] = next;
      for (size_t r = 0; r < x.size(); ++r) residual[r] -= change * x[r][i];
    }
  }
  return roofline;
}

}  // namespace mete
