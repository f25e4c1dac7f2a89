// Port: the past of metrics, from a server that stores them.
#pragma once

#include <chrono>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "support/result.h"
#include "support/units.h"

namespace mete {

using WallTime = std::chrono::system_clock::time_point;

// A PromQL expression over [from, to], evaluated every `step`.
struct HistoryQuery {
  std::string promql;
  WallTime from;
  WallTime to;
  Seconds step = std::chrono::seconds(1);
};

// One series. Times lie on the grid from + n * step and increase. Where nothing
// was measured (no sample, a stale marker, NaN) there is no entry.
struct HistorySeries {
  std::map<std::string, std::string, std::less<>> labels;
  std::vector<WallTime> times;
  std::vector<double> values;  // as many as times; finite

  // "" without such a label.
  const std::string& Label(std::string_view name) const {
    static const std::string kNone;
    auto found = labels.find(name);
    return found == labels.end() ? kNone : found->second;
  }
};
using HistorySet = std::vector<HistorySeries>;

// Provides the past. Thread-safe.
class MetricHistory {
 public:
  virtual ~MetricHistory() = default;

  // A name for people: "http://127.0.0.1:9090".
  virtual std::string name() const = 0;

  // The series of each query, in order of the queries; an empty set when
  // nothing matches. A query fails with kInvalidInput when the server rejects
  // it, with kUnavailable or kTimeout when the server does not respond after
  // retries, with kPermissionDenied when it rejects our credentials, and with
  // kInterrupted when `stop` is requested. A rejected query does not affect the
  // others; once the server is lost, the rest may fail without being sent.
  virtual std::vector<Result<HistorySet>> Ask(
      const std::vector<HistoryQuery>& queries, std::stop_token stop) = 0;
};

}  // namespace mete
