// A round as text, JSON and CSV.
#pragma once

#include <string>

#include "support/json_fwd.h"
#include "support/table.h"
#include "watch/watch_round.h"

namespace mete {

Table RoundTable(const RoundReport& report);
// Includes the annotations; a profile is a document, not text.
Json RoundToJson(const RoundReport& report);
// "12 objects, 3 changed, 0.4 s". With `dry_run`, "3 would change".
std::string RoundLine(const RoundReport& report, bool dry_run);

}  // namespace mete
