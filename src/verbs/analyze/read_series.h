// Reads a series from a CSV file.
#pragma once

#include <string>
#include <string_view>

#include "analyze/analyze_series.h"
#include "support/result.h"

namespace mete {

// The text of a CSV file, and the column of the values; empty: the second.
struct ReadSeriesRequest {
  std::string_view text;
  std::string column;
};

// The first column is the time: seconds or milliseconds since 1970, or ISO 8601
// with or without an offset (without: UTC). A heading is optional. An empty
// cell, "NaN" or "null" is a gap. Fails with kCorrupt and the line number, and
// with kNotFound if there is no such column.
Result<TimeSeries> ReadSeries(const ReadSeriesRequest& request);

// Seconds since 1970 UTC. Fails with kCorrupt.
Result<double> ParseTime(std::string_view text);

}  // namespace mete
