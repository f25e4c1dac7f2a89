// Chooses the mix that predictors of contention disagree most about.
#pragma once

#include <cstdint>

#include "contend/choose_mix.h"

namespace mete {

// Trains a small committee of networks of pressures with the rows of every
// call: a fraction of a second for a campaign.
class DisagreementChooser final : public MixChooser {
 public:
  explicit DisagreementChooser(uint64_t seed) : seed_(seed) {}

  Result<size_t> Choose(const std::vector<Mix>& candidates,
                        const std::vector<MixObservation>& rows) override;

 private:
  uint64_t seed_;
};

}  // namespace mete
