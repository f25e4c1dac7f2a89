#include "measure/layer_trace.h"

#include <algorithm>
#include <optional>

#include "support/json.h"

namespace mete {

std::string ChromeTrace(const std::vector<NodeTime>& times) {
  std::optional<double> first;
  for (const NodeTime& time : times) {
    if (time.start) first = std::min(first.value_or(*time.start), *time.start);
  }
  Json events = Json::array();
  for (const NodeTime& time : times) {
    if (!time.start) continue;
    Json event;
    event["name"] = time.name;
    event["cat"] = time.op;
    event["ph"] = "X";
    event["ts"] = (*time.start - *first) * 1e6;
    event["dur"] = time.seconds * 1e6;
    event["pid"] = 1;
    event["tid"] = 1;
    event["args"]["op"] = time.op;
    event["args"]["inference"] = time.iteration;
    events.push_back(std::move(event));
  }
  Json trace;
  trace["traceEvents"] = std::move(events);
  trace["displayTimeUnit"] = "ms";
  return DumpJson(trace) + "\n";
}

}  // namespace mete
