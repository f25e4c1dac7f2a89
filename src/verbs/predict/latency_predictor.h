// A learnt predictor of seconds per inference: read from its file, asked about
// a network on a device.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "domain/cluster_node.h"
#include "predict/question.h"
#include "support/result.h"

namespace mete {

// The share of answers whose interval holds the true value.
inline constexpr double kCoverage = 0.9;

// A predicted value with the interval that holds the truth nine times in ten.
struct Estimate {
  double value = 0;
  double low = 0;
  double high = 0;
  // Two devices differ for a network when the log of their estimates' ratio
  // exceeds this. Most of an interval is what is not known of the network,
  // and that is the same on both. Absent: only the intervals tell.
  std::optional<double> ratio_radius;
  // Inputs beyond what the predictor was trained on, which widen the interval:
  // "load 0.95 (trained up to 0.81)".
  std::vector<std::string> beyond_training;
};

// For a device of which too little is known: not a number.
inline Estimate NoEstimate() {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  return {.value = kNone, .low = kNone, .high = kNone};
}

// Words cost more than numbers: who ranks a hundred nodes to name one of them
// wants none.
enum class Detail { kNumbers, kWords };

// Reads nothing and writes nothing: any number of threads may ask at once.
class LatencyPredictor {
 public:
  virtual ~LatencyPredictor() = default;
  // One estimate a node, in their order, with `beyond_training` only where
  // words are wanted. All nodes at once, since one pass over the trees for many
  // rows is several times as fast.
  virtual std::vector<Estimate> Predict(
      const NetworkQuestion& question,
      std::span<const ClusterNode* const> nodes, Detail detail) const = 0;
  // "starter, 2026-11-16, 240 networks on 4 devices": for answers.
  virtual const std::string& origin() const = 0;
};

// The predictors an answer may need.
struct PredictorSet {
  std::shared_ptr<const LatencyPredictor> full;    // wants traits
  std::shared_ptr<const LatencyPredictor> counts;  // wants counts alone
  std::shared_ptr<const LatencyPredictor> energy;  // null: nobody measured it
  // Set while these are the ones that came with the program.
  bool bundled = false;
};

}  // namespace mete
