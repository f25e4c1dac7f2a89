// Stores a run in the way all use cases do.
#pragma once

#include "domain/run.h"
#include "ports/run_store.h"
#include "support/result.h"

namespace mete {

// Stores a run. A use case calls it as soon as the run has ended and returns a
// failure beside its result, so that a full disk does not lose the result.
inline Status KeepRun(RunStore& store, const Run& run) {
  return store.SaveRun(run).While("the run is not stored");
}

}  // namespace mete
