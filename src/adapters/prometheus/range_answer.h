// Parses Prometheus' response to a range query.
#pragma once

#include <string>

#include "ports/metric_history.h"
#include "support/result.h"

namespace mete {

// Reads the response in one pass, without a tree of values: 5,000 pods have
// 600,000 points in an hour. Values that are not finite are left out: nothing
// was measured. Fails with kCorrupt when this is not a valid response. May
// enlarge `body` by the parser's padding.
Result<HistorySet> ParseRangeAnswer(std::string& body);

// The server's own explanation of a failure, in one line; "" without any.
std::string RejectionText(std::string& body);

}  // namespace mete
