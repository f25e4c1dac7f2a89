// Plots as SVG that stands in a page or in a file of its own: no script, the
// page's colours.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mete {

struct PlotPoint {
  double x = 0;
  double y = 0;
  // A band around it, where one is known.
  std::optional<double> low;
  std::optional<double> high;
};

struct PlotSeries {
  std::string label;
  std::vector<PlotPoint> points;  // by x
  std::vector<double> failures;   // x of what gave no y: marked at the bottom
};

// How the numbers of an axis are written and stepped.
struct PlotAxis {
  std::string title;
  std::function<std::string(double)> format;
  bool binary = false;  // steps are powers of two, as of bytes
};

// From zero on both axes: a length that does not start there misleads.
struct Plot {
  PlotAxis x;
  PlotAxis y;
  std::vector<PlotSeries> series;
};
std::string SvgOf(const Plot& plot);

struct Bar {
  std::string label;
  double value = 0;
  bool at_most = false;  // the true value may be less
};
// Lying, one below the other, each with its value.
std::string SvgOf(const std::vector<Bar>& bars, const PlotAxis& axis);

}  // namespace mete
