// Points of memory sweeps for tests.
#pragma once

#include "domain/sweep.h"
#include "support/units.h"

namespace mete {

inline SweepPoint MemoryPoint(uint64_t mebibytes, double seconds,
                              bool worked = true) {
  return {.limits = {.memory = mebibytes * kMebi},
          .worked = worked,
          .duration = Seconds(seconds)};
}

}  // namespace mete
