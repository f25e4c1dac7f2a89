#include "report/svg_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/html.h"

namespace mete {
namespace {

constexpr double kWidth = 680;
constexpr double kHeight = 300;
constexpr double kLeft = 78;  // room for the numbers of the axes
constexpr double kBottom = 46;
constexpr double kTop = 14;
constexpr double kRight = 36;
constexpr int kTicks = 6;  // about so many
constexpr double kBarHeight = 22;
constexpr double kBarLabel = 200;

// The step of an axis that reaches `end` in about kTicks steps: 1, 2 or 5
// times a power of ten, or a power of two.
double StepOf(double end, bool binary) {
  double rough = std::max(end, 1e-12) / kTicks;
  if (binary) return std::exp2(std::ceil(std::log2(rough)));
  double power = std::pow(10, std::floor(std::log10(rough)));
  for (double factor : {1.0, 2.0, 5.0}) {
    if (rough <= factor * power) return factor * power;
  }
  return 10 * power;
}

// From a value to a place on the picture.
struct Scale {
  double from = 0;
  double length = 1;  // negative: upwards
  double end = 1;
  double step = 1;
  double At(double value) const { return from + length * value / end; }
};

Scale ScaleFor(double most, bool binary, double from, double length) {
  double step = StepOf(most, binary);
  double end = step * std::max(1.0, std::ceil(most / step - 1e-9));
  return {.from = from, .length = length, .end = end, .step = step};
}

std::string Text(double x, double y, const char* anchor,
                 const std::string& text) {
  return fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y,
      anchor, Escaped(text));
}

std::string Line(double x1, double y1, double x2, double y2) {
  return fmt::format(
      "<line class=\"grid\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" "
      "y2=\"{:.1f}\"/>\n",
      x1, y1, x2, y2);
}

std::string Axes(const Plot& plot, const Scale& x, const Scale& y) {
  std::string svg;
  double bottom = kHeight - kBottom;
  for (double value = 0; value <= y.end * 1.0001; value += y.step) {
    svg += Line(kLeft, y.At(value), kWidth - kRight, y.At(value));
    svg += Text(kLeft - 8, y.At(value) + 4, "end", plot.y.format(value));
  }
  for (double value = 0; value <= x.end * 1.0001; value += x.step) {
    svg += Line(x.At(value), kTop, x.At(value), bottom);
    svg += Text(x.At(value), bottom + 18, "middle", plot.x.format(value));
  }
  svg += Text(kWidth - kRight, kHeight - 8, "end", plot.x.title);
  return svg + Text(kLeft + 6, kTop + 12, "start", plot.y.title);
}

// The band, the line through the points, the points, and what failed.
std::string Curve(const PlotSeries& series, size_t place, const Scale& x,
                  const Scale& y) {
  std::string upper;
  std::string lower;
  std::string line;
  std::string marks;
  for (const PlotPoint& point : series.points) {
    double at = x.At(point.x);
    line += fmt::format("{:.1f},{:.1f} ", at, y.At(point.y));
    upper +=
        fmt::format("{:.1f},{:.1f} ", at, y.At(point.high.value_or(point.y)));
    lower =
        fmt::format("{:.1f},{:.1f} ", at, y.At(point.low.value_or(point.y))) +
        lower;
    marks += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\"/>\n",
                         at, y.At(point.y));
  }
  std::string svg = fmt::format("<g class=\"curve-{}\">\n", place % 4);
  svg += "<polygon class=\"band\" points=\"" + upper + lower + "\"/>\n";
  svg += "<polyline points=\"" + line + "\"/>\n" + marks;
  for (double failed : series.failures) {
    double at = x.At(failed);
    double low = kHeight - kBottom - 8;
    svg += fmt::format(
        "<path class=\"failed\" d=\"M{:.1f} {:.1f}l8 8m0 -8l-8 8\">"
        "<title>failed</title></path>\n",
        at - 4, low - 4);
  }
  return svg + "</g>\n";
}

std::string Legend(const std::vector<PlotSeries>& series) {
  if (series.size() < 2) return "";
  std::string svg;
  for (size_t i = 0; i < series.size(); ++i) {
    double y = kTop + 12 + 18 * static_cast<double>(i);
    svg += fmt::format(
        "<g class=\"curve-{}\"><circle cx=\"{:.1f}\" cy=\"{:.1f}\" "
        "r=\"4\"/></g>\n",
        i % 4, kWidth - kRight - 8, y - 4);
    svg += Text(kWidth - kRight - 18, y, "end", series[i].label);
  }
  return svg;
}

std::string Opening(double height) {
  return fmt::format(
      "<svg class=\"plot\" xmlns=\"http://www.w3.org/2000/svg\" "
      "viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\">\n",
      kWidth, height);
}

}  // namespace

std::string SvgOf(const Plot& plot) {
  double most_x = 0;
  double most_y = 0;
  for (const PlotSeries& series : plot.series) {
    for (const PlotPoint& point : series.points) {
      most_x = std::max(most_x, point.x);
      most_y = std::max({most_y, point.y, point.high.value_or(0)});
    }
    for (double failed : series.failures) most_x = std::max(most_x, failed);
  }
  Scale x = ScaleFor(most_x, plot.x.binary, kLeft, kWidth - kLeft - kRight);
  Scale y = ScaleFor(most_y, plot.y.binary, kHeight - kBottom,
                     -(kHeight - kBottom - kTop));
  std::string svg = Opening(kHeight) + Axes(plot, x, y);
  for (size_t i = 0; i < plot.series.size(); ++i) {
    svg += Curve(plot.series[i], i, x, y);
  }
  return svg + Legend(plot.series) + "</svg>\n";
}

std::string SvgOf(const std::vector<Bar>& bars, const PlotAxis& axis) {
  double most = 0;
  for (const Bar& bar : bars) most = std::max(most, bar.value);
  Scale scale = ScaleFor(most, axis.binary, kBarLabel, kWidth - kBarLabel - 90);
  double height = kBarHeight * static_cast<double>(bars.size()) + 12;
  std::string svg = Opening(height);
  for (size_t i = 0; i < bars.size(); ++i) {
    double y = kBarHeight * static_cast<double>(i) + 4;
    double end = scale.At(bars[i].value);
    svg += Text(kBarLabel - 8, y + 14, "end", bars[i].label);
    svg += fmt::format(
        "<g class=\"curve-0\"><rect x=\"{:.1f}\" y=\"{:.1f}\" "
        "width=\"{:.1f}\" height=\"{:.1f}\"/></g>\n",
        kBarLabel, y, std::max(1.0, end - kBarLabel), kBarHeight - 6);
    std::string value = axis.format(bars[i].value);
    svg += Text(end + 6, y + 14, "start",
                bars[i].at_most ? "at most " + value : value);
  }
  return svg + "</svg>\n";
}

}  // namespace mete
