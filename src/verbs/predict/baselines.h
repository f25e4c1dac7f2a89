// Simple rules that a predictor must beat on the same rows and folds.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "predict/train_latency.h"

namespace mete {

// Predicts one row. Absent when the baseline has no answer: a line through the
// rows of a network and device needs rows of that pair.
using RowAnswer = std::function<std::optional<double>(const LatencyRow&)>;

// A named rule and the function that fits it.
struct Baseline {
  std::string name;
  // Learns from the chosen rows.
  std::function<Result<RowAnswer>(const TrainRequest&,
                                  std::span<const size_t> chosen)>
      fit;
};

// The name of the analytic estimate among the baselines.
inline constexpr const char* kRooflineBaseline = "roofline only";
// The factor by which the plain roofline differs from the chosen rows, as the
// mean of logs. 1 without rows.
double RooflineFactor(const TrainRequest& request,
                      std::span<const size_t> chosen);

// The mean of the device; a straight line in load for each network and device;
// the ten columns of the PEPPER profiler with its settings (145 trees, depth 6,
// rate 0.1, untransformed seconds); the roofline alone, scaled by one common
// factor.
std::vector<Baseline> LatencyBaselines();

}  // namespace mete
