// Turns samples into the curves of a page.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "domain/app_metrics.h"
#include "domain/run.h"
#include "report/sample_table.h"
#include "support/json_fwd.h"

namespace mete {

// A curve of a metric that the application reported itself: events per second.
struct MetricCurve {
  double from = 0;  // seconds since the start of the run
  std::vector<double> per_second;
};

// Everything known about one run over time.
struct RunCurves {
  SampleTable samples;
  SampleTable latencies{};  // of a network: its own time, without the loading
  std::map<std::string, MetricCurve> metrics;  // by name
};

// Maximum number of points per curve: more than a screen has columns.
inline constexpr size_t kMostPoints = 2000;

// Returns one chart per quantity that was read and was ever above zero:
//   [{"title", "unit", "x": […], "series": [{"label", "values": […]}],
//     "limit": {"value", "label"}}, …]
// Missing values are null. Units: "cores", "bytes", "bytes/s", "share",
// "celsius", "watts", "hertz", "1/s", "seconds".
Json MakeCharts(const RunCurves& curves, const Limits& limits);

}  // namespace mete
