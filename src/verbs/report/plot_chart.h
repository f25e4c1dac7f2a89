// Converts plots into the JSON that the page script draws.
#pragma once

#include "domain/plot.h"
#include "support/json_fwd.h"

namespace mete {

// {"x": […], "x_texts": […], "x_axis": {"title", "end", "ticks": [{"at",
//   "text"}]}, "y_axis": {…}, "series": [{"label", "values": […], "texts": […],
//   "bands": [[{"x", "low", "high"}, …], …], "failures": […], "aside"}]}
// All series share the x of the points and failures, in rising order; where a
// series has no point, its value is null. An x is repeated when a series has
// several points there. A band covers neighbouring points that have an
// interval. The texts are what the legend shows for a point.
Json PlotToChart(const Plot& plot);

}  // namespace mete
