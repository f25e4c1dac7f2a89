// How a run is kept.
#pragma once

#include "domain/run.h"
#include "ports/run_store.h"
#include "support/result.h"

namespace mete {

// Stores a run. A use case calls it as soon as the run is over and hands a
// failure on beside its result: a full disk must not take the result with it.
inline Status KeepRun(RunStore& store, const Run& run) {
  return store.SaveRun(run).While("the run is not stored");
}

}  // namespace mete
