// Makes a page from a stored run.
#pragma once

#include <string>

#include "ports/run_store.h"
#include "support/result.h"

namespace mete {

// A page and what is missing from it.
struct RunReport {
  std::string page;  // HTML
  // Why the page has no curves although the run has samples. Else empty.
  std::string warning;
};

// `id` may be an unambiguous prefix. Fails with kNotFound, and with kCorrupt
// when the file of samples is malformed.
Result<RunReport> ReportRun(const std::string& id, RunStore& store);

}  // namespace mete
