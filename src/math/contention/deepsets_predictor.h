// NeuRO's network as a predictor: two networks of the same shape, one for
// service and one for sojourn times.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "contention/contention_predictor.h"
#include "contention/deepsets_network.h"
#include "support/json_fwd.h"

namespace mete {

// A network and the times that its outputs are multiplied with.
struct ScaledDeepSets {
  DeepSetsNetwork network;
  // of each application
  std::vector<std::array<double, kDeepSetsOutputs>> scales;
};

// Predicts mean, p75 and p95; without intervals. Quantiles that cross are
// sorted.
class DeepSetsPredictor final : public ContentionPredictor {
 public:
  // What it consists of; by kind of time.
  struct Parts {
    std::vector<std::string> applications;  // sorted
    std::array<ScaledDeepSets, kTimeKinds> networks;
  };
  explicit DeepSetsPredictor(Parts parts);

  // Fails with kCorrupt when the document is not such a predictor.
  static Result<DeepSetsPredictor> FromJson(const Json& json);
  Json ToJson() const;

  // The start of a training with more applications: rows of known applications
  // are copied, those of new ones are taken from `fresh`. Fails with
  // kInvalidInput if one of ours is missing in `applications`.
  Result<DeepSetsNetwork> WarmStart(TimeKind kind,
                                    std::span<const std::string> applications,
                                    const DeepSetsNetwork& fresh) const;

  std::string_view method() const override { return "deepsets"; }
  std::vector<std::string> Applications() const override {
    return parts_.applications;
  }
  Result<std::vector<TenantTimes>> Predict(
      std::span<const Tenant> tenants) const override;

  const Parts& parts() const { return parts_; }

 private:
  Parts parts_;
};

}  // namespace mete
