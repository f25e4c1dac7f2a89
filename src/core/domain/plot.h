// What a plot shows, whoever draws it: a page of ours, or gnuplot into a file.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace mete {

struct PlotPoint {
  double x = 0;
  double y = 0;
  // Where the true y lies with the confidence the caption tells. Both or none.
  std::optional<double> low;
  std::optional<double> high;
};

struct PlotSeries {
  std::string label;
  std::vector<PlotPoint> points;  // by x
  std::vector<double> failures;   // x of what gave no y: marked at the bottom
  bool aside = false;             // pale and not joined: only what others beat
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

struct Bar {
  std::string label;  // what kind it is: bars of one kind have one colour
  double value = 0;
  bool at_most = false;  // the true value may be less
};
// Bars that stand together.
struct BarGroup {
  std::string label;
  std::vector<Bar> bars;
};
struct BarChart {
  PlotAxis axis;  // of the values
  std::vector<BarGroup> groups;
};

// A plot with what is said about it.
struct Drawing {
  std::string name;  // "time-by-memory", for a file
  std::string title;
  std::string caption;
  std::variant<Plot, BarChart> content;
};

// Where the numbers of an axis stand: 0, step, … up to `end`, which holds
// `most`.
struct AxisScale {
  double end = 1;
  double step = 1;
};
AxisScale ScaleFor(double most, const PlotAxis& axis);
AxisScale ScaleOfX(const Plot& plot);
AxisScale ScaleOfY(const Plot& plot);
AxisScale ScaleOf(const BarChart& chart);

// "143 MiB", "≤ 143 MiB".
std::string ValueText(const Bar& bar, const PlotAxis& axis);

// The labels of the bars, each once, in the order they first appear.
std::vector<std::string> KindsOf(const BarChart& chart);

}  // namespace mete
