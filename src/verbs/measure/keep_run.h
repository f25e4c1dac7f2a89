// Stores a run in the way all use cases do.
#pragma once

#include "domain/run.h"
#include "ports/run_store.h"
#include "support/result.h"

namespace mete {

// Stores a run. A use case calls it as soon as the run has ended and returns a
// failure beside its result, so that a full disk does not lose the result.
// A run on a node of a cluster brings its device along, of which nothing but
// the name is known.
inline Status KeepRun(RunStore& store, const Run& run) {
  auto device = store.FindDevice(run.device_id);
  if (!device.ok() && device.error().code() == ErrorCode::kNotFound) {
    RETURN_IF_ERROR(store
                        .SaveDevice({.id = run.device_id,
                                     .name = run.device_name,
                                     .registered_at = run.started_at})
                        .While("the run is not stored"));
  }
  return store.SaveRun(run).While("the run is not stored");
}

}  // namespace mete
