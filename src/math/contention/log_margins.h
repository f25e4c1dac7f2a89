// Errors of predicted times on held-out mixes, and the margins that follow.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "contention/measured_mixes.h"
#include "contention/pressure_predictor.h"

namespace mete {

// Logarithms of measured over predicted time, without tenants that could not
// keep up: their times depend on the length of the window.
class HeldOutErrors {
 public:
  // Times alone bound the region of objectives, where errors count fully.
  explicit HeldOutErrors(std::map<std::string, TimesAlone> alone)
      : alone_(std::move(alone)) {}

  void Add(const MixObservation& measured, const TenantTimes& predicted);

  // Mean magnitude in the region of objectives (everywhere if nothing was
  // measured there); 0 without errors.
  double MeanAbsolute() const;

  // Split conformal intervals (Lei et al., JASA 113 (2018), algorithm 2), each
  // side for itself: the ceil((n + 1) (1 + coverage) / 2)-th smallest error is
  // the upper end. From the errors of the application, or of all applications
  // if it has too few; absent if all have too few.
  std::vector<LogMargins> Margins(
      const std::vector<std::string>& applications) const;

 private:
  using Errors = std::array<std::vector<double>, kTimeKinds * kTimeStatistics>;

  std::map<std::string, TimesAlone> alone_;
  std::map<std::string, Errors> by_application_;
  Errors all_;
  double near_sum_ = 0;
  size_t near_ = 0;
  double sum_ = 0;
  size_t count_ = 0;
};

}  // namespace mete
