// Answers with a trained predictor only for the devices it was trained on, and
// with the bundled one for all others.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "predict/latency_predictor.h"

namespace mete {

// Training on one machine says little about others: the bundled predictor was
// validated on devices it had not seen.
class SeenDevices : public LatencyPredictor {
 public:
  // `seen` are the names of the devices that `trained` knows.
  SeenDevices(std::shared_ptr<const LatencyPredictor> trained,
              std::shared_ptr<const LatencyPredictor> bundled,
              std::set<std::string> seen);

  // If both predictors are needed, the estimates have no `ratio_radius`: the
  // errors of different predictors do not cancel out in a ratio.
  std::vector<Estimate> Predict(const NetworkQuestion& question,
                                std::span<const ClusterNode* const> nodes,
                                Detail detail) const override;
  // Of the trained predictor.
  const std::string& origin() const override { return trained_->origin(); }

 private:
  std::shared_ptr<const LatencyPredictor> trained_;
  std::shared_ptr<const LatencyPredictor> bundled_;
  std::set<std::string> seen_;
};

}  // namespace mete
