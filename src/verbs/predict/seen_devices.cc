#include "predict/seen_devices.h"

#include <utility>

namespace mete {
namespace {

constexpr const char* kUnseen =
    "training had no runs of this device; the bundled predictor is used";

void SayUnseen(Estimate& estimate) {
  if (!estimate.assumption.empty()) estimate.assumption += "; ";
  estimate.assumption += kUnseen;
}

}  // namespace

SeenDevices::SeenDevices(std::shared_ptr<const LatencyPredictor> trained,
                         std::shared_ptr<const LatencyPredictor> bundled,
                         std::set<std::string> seen)
    : trained_(std::move(trained)),
      bundled_(std::move(bundled)),
      seen_(std::move(seen)) {}

std::vector<Estimate> SeenDevices::Predict(
    const NetworkQuestion& question, std::span<const ClusterNode* const> nodes,
    Detail detail) const {
  std::vector<const ClusterNode*> known;
  std::vector<const ClusterNode*> unknown;
  for (const ClusterNode* node : nodes) {
    (seen_.contains(node->name) ? known : unknown).push_back(node);
  }
  if (unknown.empty()) return trained_->Predict(question, nodes, detail);
  std::vector<Estimate> own;
  if (!known.empty()) own = trained_->Predict(question, known, detail);
  std::vector<Estimate> others = bundled_->Predict(question, unknown, detail);
  std::vector<Estimate> estimates;
  size_t from_own = 0;
  size_t from_others = 0;
  for (const ClusterNode* node : nodes) {
    bool seen = seen_.contains(node->name);
    Estimate& estimate = seen ? own[from_own++] : others[from_others++];
    if (!seen && detail == Detail::kWords) SayUnseen(estimate);
    if (!known.empty()) estimate.ratio_radius.reset();
    estimates.push_back(std::move(estimate));
  }
  return estimates;
}

}  // namespace mete
