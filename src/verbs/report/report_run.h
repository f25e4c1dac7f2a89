// A stored run as a page.
#pragma once

#include <string>

#include "ports/run_store.h"
#include "support/result.h"

namespace mete {

struct RunReport {
  std::string page;  // HTML
  // Why the page has no curves, where the run had some; else empty.
  std::string warning;
};

// `id` may be the unambiguous beginning of one. Fails with kNotFound, and with
// kCorrupt when the file of samples makes no sense.
Result<RunReport> ReportRun(const std::string& id, RunStore& store);

}  // namespace mete
