// Interface of a trained predictor of seconds per inference for a network on a
// device.
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

// The share of answers whose interval contains the true value.
inline constexpr double kCoverage = 0.9;

// A predicted value with the interval that contains the true value nine times
// out of ten.
struct Estimate {
  double value = 0;
  double low = 0;
  double high = 0;
  // Two devices differ for a network when the log of their estimates' ratio
  // exceeds this. Most of an interval is uncertainty about the network, which
  // is the same on both devices. Absent: only the intervals can be compared.
  std::optional<double> ratio_radius;
  // Properties of the network outside the training range by more than a factor
  // of two, which widen the interval: "output size 2 GiB (training range 8 B to
  // 1 MiB)".
  std::vector<std::string> beyond_training;
  // The same for properties of the device: "load 95 % (training range 0 % to
  // 81 %)". Most devices differ a little from the few of a training.
  std::vector<std::string> device_beyond_training;
  // How the speed of an unmeasured device was estimated, which also widens the
  // interval. Empty: it was measured.
  std::string assumption;
};

// The answer for a device about which too little is known: NaN.
inline Estimate NoEstimate() {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  return {.value = kNone, .low = kNone, .high = kNone};
}

// Whether estimates include texts. Texts cost more time than numbers and are
// not needed to rank a hundred nodes and pick one.
enum class Detail { kNumbers, kWords };

// Predicts latency (or energy) of networks on devices. Thread-safe: predicting
// neither reads nor writes shared state.
class LatencyPredictor {
 public:
  virtual ~LatencyPredictor() = default;
  // Returns one estimate per node, in the order of `nodes`. Fills
  // `beyond_training` and `assumption` only for Detail::kWords. Takes all nodes
  // at once, since one pass over the trees for many rows is several times as
  // fast.
  virtual std::vector<Estimate> Predict(
      const NetworkQuestion& question,
      std::span<const ClusterNode* const> nodes, Detail detail) const = 0;
  // Where the predictor comes from, for answers: "starter, 2026-11-16, 240
  // networks on 4 devices".
  virtual const std::string& origin() const = 0;
};

// The predictors an answer may need.
struct PredictorSet {
  std::shared_ptr<const LatencyPredictor> full;    // needs traits
  std::shared_ptr<const LatencyPredictor> counts;  // needs only counts
  // null: energy was not measured
  std::shared_ptr<const LatencyPredictor> energy;
  // True while these are the predictors bundled with the program.
  bool bundled = false;
};

}  // namespace mete
