// From samples to the curves of a page.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "domain/app_metrics.h"
#include "domain/run.h"
#include "report/sample_table.h"
#include "support/json_fwd.h"

namespace mete {

// A curve that the application told itself: events a second.
struct MetricCurve {
  double from = 0;  // seconds since the start of the run
  std::vector<double> per_second;
};

// What is known about one run over time.
struct RunCurves {
  SampleTable samples;
  std::map<std::string, MetricCurve> metrics;  // by name
};

// At most this many points a curve: more than a screen has columns.
inline constexpr size_t kMostPoints = 2000;

// [{"title", "unit", "x": […], "series": [{"label", "values": […]}],
//   "limit": {"value", "label"}}, …]: a chart for each quantity that was read
// and was ever above zero. Missing values are null. Units: "cores", "bytes",
// "bytes/s", "share", "celsius", "watts", "hertz", "1/s", "seconds".
Json MakeCharts(const RunCurves& curves, const Limits& limits);

}  // namespace mete
