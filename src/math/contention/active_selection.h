// Chooses the mix to measure next: the one that networks of pressures disagree
// most about, because there a measurement teaches most.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "contention/measured_mixes.h"
#include "contention/pressure_predictor.h"

namespace mete {

// A bootstrap of predictors: each is trained with as many mixes, drawn with
// replacement, so they differ where the mixes leave a choice (Breiman, "Bagging
// predictors", Machine Learning 24 (1996); query by committee: Seung, Opper and
// Sompolinsky, COLT 1992).
class PressureCommittee {
 public:
  struct Request {
    size_t members = 8;
    size_t pressures = 2;
    size_t steps = 300;
    uint64_t seed = 1;
    // More applications than the mixes have; sorted. Empty: none.
    std::vector<std::string> applications{};
  };
  // The mixes may be few, even none: then the priors speak.
  PressureCommittee(std::span<const MeasuredMix> mixes, const Request& request);

  // Mean standard deviation of the logarithms of predicted times: mean and p95
  // of service, p95 of sojourn times. Times beyond the region of objectives
  // count as its end, where nobody needs to know more. Fails as Predict does.
  Result<double> DisagreementOn(std::span<const Tenant> tenants) const;

 private:
  std::vector<PressurePredictor> members_;
  std::map<std::string, TimesAlone> alone_;
};

}  // namespace mete
