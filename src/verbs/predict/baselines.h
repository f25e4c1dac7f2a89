// What a predictor must beat: simple rules on the same rows and folds.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "predict/train_latency.h"

namespace mete {

// Answers for one row, or not: a line through a pair needs that pair.
using RowAnswer = std::function<std::optional<double>(const LatencyRow&)>;

struct Baseline {
  std::string name;
  // Learns from the chosen rows.
  std::function<Result<RowAnswer>(const TrainRequest&,
                                  std::span<const size_t> chosen)>
      fit;
};

// The mean of the device; a straight line in load for each network and device;
// the predecessor's ten columns with its settings (145 trees, depth 6, rate
// 0.1, seconds as they are); the roofline alone, scaled by one common factor.
std::vector<Baseline> LatencyBaselines();

}  // namespace mete
