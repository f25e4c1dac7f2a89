// The stored runs of collections as the predecessor's collection script wrote
// them: its columns by the alphabet, its units, its formats of time.
#pragma once

#include <string>

#include "ports/run_store.h"
#include "support/result.h"

namespace mete {

struct LegacyCsvRequest {
  std::string device_type;  // in the column device; empty: the device's name
};

// A row a completed run, oldest first; docs/reference/collect.md says what each
// column holds here.
Result<std::string> LegacyCsv(RunStore& store, const LegacyCsvRequest& request);

}  // namespace mete
