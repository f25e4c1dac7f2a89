// A trained predictor of pressures as the costs of mete place.
#pragma once

#include <string>
#include <vector>

#include "contention/pressure_predictor.h"
#include "place/cost_model.h"

namespace mete {

// Objectives have to be met by the upper end of the predicted interval, if the
// predictor has one.
class PressureCosts final : public CostModel {
 public:
  PressureCosts(PressurePredictor predictor, std::string name)
      : predictor_(std::move(predictor)), name_(std::move(name)) {}

  std::string Describe() const override;
  size_t pressures() const override;
  std::vector<std::string> Applications() const override {
    return predictor_.Applications();
  }
  Result<std::vector<double>> PressureOf(const std::string& application,
                                         double rate) const override;
  Result<std::vector<PressureLimit>> LimitsFor(const LatencyQuestion& question,
                                               Seconds limit) const override;
  Result<LatencyAnswer> LatencyUnder(
      const LatencyQuestion& question,
      std::span<const double> pressure) const override;
  // The predictor knows service times alone, which are not CPU times.
  std::optional<Seconds> CpuTimeOf(const std::string&) const override {
    return std::nullopt;
  }

 private:
  std::vector<double> Used(const PressureVector& pressure) const;

  PressurePredictor predictor_;
  std::string name_;
};

}  // namespace mete
