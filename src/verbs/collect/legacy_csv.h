// Writes the stored runs of collections as the PEPPER profiler's collection
// script does: its columns in alphabetical order, its units and its time
// formats.
#pragma once

#include <string>

#include "ports/run_store.h"
#include "support/result.h"

namespace mete {

// Options of LegacyCsv.
struct LegacyCsvRequest {
  std::string device_type;  // for the column device; empty: its name
};

// One row per completed run, oldest first. docs/reference/collect.md describes
// the columns.
Result<std::string> LegacyCsv(RunStore& store, const LegacyCsvRequest& request);

}  // namespace mete
