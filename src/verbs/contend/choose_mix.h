// Chooses the mix that an active campaign measures next.
#pragma once

#include <cstddef>
#include <vector>

#include "domain/mix.h"
#include "domain/mix_observation.h"
#include "support/result.h"

namespace mete {

// Chooses among candidates by what has been measured so far, for example the
// mix that predictors disagree most about.
class MixChooser {
 public:
  virtual ~MixChooser() = default;
  // The index of one of the candidates, of which there is at least one. The
  // rows may be empty. Deterministic for the same arguments.
  virtual Result<size_t> Choose(const std::vector<Mix>& candidates,
                                const std::vector<MixObservation>& rows) = 0;
};

}  // namespace mete
