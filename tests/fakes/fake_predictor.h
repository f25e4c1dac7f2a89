// A predictor with a simple formula: seconds grow with the parameters and the
// load and shrink with the cores.
#pragma once

#include <string>
#include <vector>

#include "predict/latency_predictor.h"

namespace mete {

// Predicts parameters / 1e9 / cores x (1 + load) plus the disk usage, so that
// passing on the disk usage changes the result. The interval extends by
// `spread` to both sides.
class FakePredictor final : public LatencyPredictor {
 public:
  explicit FakePredictor(double spread = 0.01, double factor = 1)
      : spread_(spread), factor_(factor) {}

  std::vector<Estimate> Predict(const NetworkQuestion& question,
                                std::span<const ClusterNode* const> nodes,
                                Detail) const override {
    double parameters =
        question.traits
            ? static_cast<double>(question.traits->counts.total_parameters)
            : question.counts.total_parameters.value_or(1e6);
    std::vector<Estimate> estimates;
    for (const ClusterNode* node : nodes) {
      double value = factor_ * parameters / 1e9 / node->facts.cores *
                         (1 + node->load.value_or(0)) +
                     node->disk_used.value_or(0);
      estimates.push_back({.value = value,
                           .low = value * (1 - spread_),
                           .high = value * (1 + spread_),
                           .beyond_training = Beyond(parameters)});
    }
    return estimates;
  }
  const std::string& origin() const override { return origin_; }

 private:
  static std::vector<std::string> Beyond(double parameters) {
    if (parameters < 1e20) return {};
    return {"parameters 1e20 (training range 0 to 1e9)"};
  }

  double spread_;
  double factor_;
  std::string origin_ = "fake, for tests";
};

}  // namespace mete
