// Cuts a range query into requests of bounded size, and joins the answers.
#pragma once

#include <cstddef>
#include <optional>

#include "ports/metric_history.h"
#include "support/result.h"
#include "support/units.h"

namespace mete {

// Bounds of one request.
struct RangeBounds {
  // Per series. Prometheus rejects more than 11,000.
  size_t points = 10'000;
  // Of all series together, so that a response stays well below 64 MiB. The
  // number of series is known after the first request.
  size_t samples = 1'000'000;
  // Per series in the first request.
  size_t first_points = 240;
  // In all answers: two for each pod of the largest clusters. A server whose
  // series have other labels in every answer must not fill the memory.
  size_t series = 300'000;
  // Of the memory of all answers to the queries of one Ask: three times what
  // 5,000 pods take in an hour.
  Bytes answers = Mebibytes(512);
};

// The requests of one query, in order of time. Feed each answer to Add before
// the next call of Next.
class RangeChunks {
 public:
  RangeChunks(HistoryQuery query, const RangeBounds& bounds);

  // Absent when all points have been asked for.
  std::optional<HistoryQuery> Next();
  // Fails with kCorrupt when there are too many series.
  Status Add(HistorySet chunk);
  HistorySet Take() && { return std::move(joined_); }

 private:
  size_t PointsOfNext() const;
  Error TooManySeries() const;

  HistoryQuery query_;
  RangeBounds bounds_;
  size_t points_ = 0;  // of the grid
  size_t asked_ = 0;   // points asked for so far
  std::optional<size_t> most_series_;
  HistorySet joined_;
};

}  // namespace mete
