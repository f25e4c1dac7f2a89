// A metric history that remembers earlier answers and queries only what is new.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "ports/metric_history.h"

namespace mete {

// How much is queried again.
struct IncrementalRules {
  // Samples that arrive later than this are seen only by a refresh. Four times
  // the 30 s for which VictoriaMetrics holds samples back.
  Seconds overlap = std::chrono::minutes(2);
  // Every query is repeated in full after between half and all of this time,
  // which depends on its text, so that not all are repeated in one round.
  Seconds refresh = std::chrono::minutes(10);
};

// Answers like the history behind it, from its last answers and the points
// since then. Within the overlap, the newest answer counts, and points that it
// lacks are gone. Older points are replaced by a refresh, but stay until they
// leave the window if the server has lost them (a restart with an empty disk).
// The server computes rates, so counters that reset need no care here. Used by
// one thread.
class IncrementalHistory final : public MetricHistory {
 public:
  // `source` must outlive this.
  explicit IncrementalHistory(MetricHistory& source,
                              IncrementalRules rules = {})
      : source_(source), rules_(rules) {}

  std::string name() const override { return source_.name(); }
  // Forgets queries that are not among `queries`: another text, step or number
  // of points is another query.
  std::vector<Result<HistorySet>> Ask(const std::vector<HistoryQuery>& queries,
                                      std::stop_token stop) override;

 private:
  using Labels = decltype(HistorySeries::labels);

  // The window of a query, as points of a grid. A point without a value is NaN.
  struct Memory {
    WallTime from;
    std::chrono::milliseconds step{1};
    size_t points = 0;
    WallTime refresh_at;
    std::map<Labels, std::vector<double>> series;

    WallTime At(size_t point) const {
      return from + step * static_cast<int64_t>(point);
    }
  };

  static std::string KeyFor(const HistoryQuery& query);
  Memory* Find(const std::string& key, const HistoryQuery& query);
  // The first point that is queried again.
  WallTime OverlapOf(const Memory& memory) const;
  HistoryQuery MissingPart(const HistoryQuery& query, const Memory* memory,
                           bool refresh) const;
  void Update(const std::string& key, const HistoryQuery& query,
              HistorySet answer);
  static HistorySet Copy(Memory& memory);

  MetricHistory& source_;
  const IncrementalRules rules_;
  std::map<std::string, Memory> memories_;
};

}  // namespace mete
