// The contents of a plot, independent of what draws it: our page or gnuplot.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace mete {

// A point with an optional interval.
struct PlotPoint {
  double x = 0;
  double y = 0;
  // Interval of y at the confidence stated in the caption. Both or neither.
  std::optional<double> low;
  std::optional<double> high;
};

// A curve.
struct PlotSeries {
  std::string label;
  std::vector<PlotPoint> points;  // by x
  // x of points without y. A mark continues the curve at the height of its
  // nearest point.
  std::vector<double> failures;
  bool aside = false;  // pale and not connected: points that others dominate
};

// How the numbers of an axis are formatted and spaced.
struct PlotAxis {
  std::string title;
  std::function<std::string(double)> format;
  bool binary = false;  // steps are powers of two, as of bytes
  // The scale is logarithmic if the values span more than a factor of 20:
  // otherwise the small ones are all drawn at zero.
  bool may_be_log = false;
};

// A plot of curves. Linear axes start at zero, because lengths mislead
// otherwise.
struct Plot {
  PlotAxis x;
  PlotAxis y;
  std::vector<PlotSeries> series;
};

// One bar.
struct Bar {
  std::string label;  // bars with the same label have the same colour
  double value = 0;
  bool at_most = false;  // the true value may be less
};
// Bars next to each other.
struct BarGroup {
  std::string label;
  std::vector<Bar> bars;
};
// A chart of bars in groups.
struct BarChart {
  PlotAxis axis;  // of the values
  std::vector<BarGroup> groups;
};

// A plot with its texts.
struct Drawing {
  std::string name;  // file name: "time-by-memory"
  std::string title;
  std::string caption;
  std::variant<Plot, BarChart> content;
};

// The range and the tics of an axis: 0, step, … up to `end`, which is at least
// `most`, or 1, 2 and 5 times powers of ten on a logarithmic one.
struct AxisScale {
  double end = 1;
  double step = 1;  // unused if logarithmic
  double begin = 0;
  bool log = false;

  std::vector<double> Tics() const;
  // The value at this share of the axis, from 0 at its beginning to 1.
  double At(double share) const;
};
AxisScale ScaleFor(double most, const PlotAxis& axis);
AxisScale ScaleOfX(const Plot& plot);
AxisScale ScaleOfY(const Plot& plot);
AxisScale ScaleFor(const BarChart& chart);

// "143 MiB", "≤ 143 MiB".
std::string ValueText(const Bar& bar, const PlotAxis& axis);

// The distinct labels of the bars, in order of appearance.
std::vector<std::string> ListKinds(const BarChart& chart);

}  // namespace mete
