#include "report/svg_plot.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/html.h"
#include "support/text.h"

namespace mete {
namespace {

constexpr double kWidth = 680;
constexpr double kHeight = 300;
constexpr double kLeft = 78;  // room for the numbers of the axes
constexpr double kBottom = 46;
constexpr double kTop = 14;
constexpr double kRight = 36;
constexpr double kLegendRow = 18;
constexpr double kLegendWidth = 300;
constexpr size_t kLegendColumns = 2;
constexpr size_t kLongestLabel = 32;  // characters
constexpr double kBarHeight = 22;
constexpr double kBarLabel = 220;
constexpr size_t kColours = 8;  // .curve-0 to .curve-7

// From a value to a place on the picture.
struct Scale {
  double from = 0;
  double length = 1;  // negative: upwards
  double end = 1;
  double step = 1;
  double At(double value) const { return from + length * value / end; }
};

Scale Laid(const AxisScale& axis, double from, double length) {
  return {.from = from, .length = length, .end = axis.end, .step = axis.step};
}

std::string Text(double x, double y, const char* anchor,
                 const std::string& text) {
  return fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y,
      anchor, Escaped(text));
}

std::string Line(const char* kind, double x1, double y1, double x2, double y2) {
  return fmt::format(
      "<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" "
      "y2=\"{:.1f}\"/>\n",
      kind, x1, y1, x2, y2);
}

std::string Axes(const Plot& plot, const Scale& x, const Scale& y) {
  std::string svg;
  double bottom = kHeight - kBottom;
  for (double value = 0; value <= y.end * 1.0001; value += y.step) {
    svg += Line("grid", kLeft, y.At(value), kWidth - kRight, y.At(value));
    svg += Text(kLeft - 8, y.At(value) + 4, "end", plot.y.format(value));
  }
  for (double value = 0; value <= x.end * 1.0001; value += x.step) {
    svg += Line("grid", x.At(value), kTop, x.At(value), bottom);
    svg += Text(x.At(value), bottom + 18, "middle", plot.x.format(value));
  }
  svg += Text(kWidth - kRight, kHeight - 8, "end", plot.x.title);
  return svg + Text(kLeft + 6, kTop + 12, "start", plot.y.title);
}

std::string Place(const Scale& x, const Scale& y, double at, double value) {
  return fmt::format("{:.1f},{:.1f} ", x.At(at), y.At(value));
}

// A band over neighbours that both have one, and a line where each has its own.
std::string Bands(const PlotSeries& series, const Scale& x, const Scale& y) {
  std::string svg;
  std::string upper;
  std::string lower;
  auto close = [&] {
    if (!upper.empty()) {
      svg += "<polygon class=\"band\" points=\"" + upper + lower + "\"/>\n";
    }
    upper.clear();
    lower.clear();
  };
  for (const PlotPoint& point : series.points) {
    if (!point.low || !point.high) {
      close();
      continue;
    }
    upper += Place(x, y, point.x, *point.high);
    lower.insert(0, Place(x, y, point.x, *point.low));
    svg += Line("spread", x.At(point.x), y.At(*point.low), x.At(point.x),
                y.At(*point.high));
  }
  close();
  return svg;
}

std::string Opening(size_t colour, bool aside) {
  return fmt::format("<g class=\"curve-{}{}\">\n", colour % kColours,
                     aside ? " aside" : "");
}

// The band, the line through the points, the points, and what failed.
std::string Curve(const PlotSeries& series, size_t place, const Scale& x,
                  const Scale& y) {
  std::string line;
  std::string marks;
  for (const PlotPoint& point : series.points) {
    line += Place(x, y, point.x, point.y);
    marks += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\"/>\n",
                         x.At(point.x), y.At(point.y));
  }
  std::string svg = Opening(place, series.aside) + Bands(series, x, y);
  if (!series.aside) svg += "<polyline points=\"" + line + "\"/>\n";
  svg += marks;
  for (double failed : series.failures) {
    double low = kHeight - kBottom - 8;
    svg += fmt::format(
        "<path class=\"failed\" d=\"M{:.1f} {:.1f}l8 8m0 -8l-8 8\">"
        "<title>failed</title></path>\n",
        x.At(failed) - 4, low - 4);
  }
  return svg + "</g>\n";
}

double RowsOf(size_t entries) {
  size_t rows = (entries + kLegendColumns - 1) / kLegendColumns;
  return static_cast<double>(rows);
}

// Below the plot, where it covers no curve.
std::string Legend(const std::vector<PlotSeries>& series) {
  std::string svg;
  for (size_t i = 0; i < series.size(); ++i) {
    double x = kLeft + kLegendWidth * static_cast<double>(i % kLegendColumns);
    double y = kHeight + kLegendRow * (RowsOf(i + 1) - 1) + 12;
    svg += Opening(i, series[i].aside) +
           fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"/></g>\n",
                       x + 4, y - 4);
    svg +=
        Text(x + 16, y, "start", ShortenMiddle(series[i].label, kLongestLabel));
  }
  return svg;
}

std::string Picture(double height, const std::string& content) {
  return fmt::format(
             "<svg class=\"plot\" xmlns=\"http://www.w3.org/2000/svg\" "
             "viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\">\n",
             kWidth, height) +
         content + "</svg>\n";
}

// One bar with what stands left and right of it.
struct BarRow {
  std::string label;
  double y = 0;
  size_t colour = 0;
};
std::string RowOf(const BarRow& row, const Bar& bar, const PlotAxis& axis,
                  const Scale& scale) {
  double end = scale.At(bar.value);
  return Text(kBarLabel - 8, row.y + 14, "end",
              ShortenMiddle(row.label, kLongestLabel)) +
         Opening(row.colour, false) +
         fmt::format(
             "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
             "height=\"{:.1f}\"/></g>\n",
             kBarLabel, row.y, std::max(1.0, end - kBarLabel), kBarHeight - 6) +
         Text(end + 6, row.y + 14, "start", ValueText(bar, axis));
}

}  // namespace

std::string SvgOf(const Plot& plot) {
  Scale x = Laid(ScaleOfX(plot), kLeft, kWidth - kLeft - kRight);
  Scale y =
      Laid(ScaleOfY(plot), kHeight - kBottom, -(kHeight - kBottom - kTop));
  std::string svg = Axes(plot, x, y);
  for (size_t i = 0; i < plot.series.size(); ++i) {
    svg += Curve(plot.series[i], i, x, y);
  }
  double legend = kLegendRow * RowsOf(plot.series.size()) + 4;
  return Picture(kHeight + legend, svg + Legend(plot.series));
}

std::string SvgOf(const BarChart& chart) {
  Scale scale = Laid(ScaleOf(chart), kBarLabel, kWidth - kBarLabel - 90);
  std::vector<std::string> kinds = KindsOf(chart);
  std::string svg;
  double y = 4;
  for (const BarGroup& group : chart.groups) {
    // A bar alone without a kind needs no heading over it.
    bool alone = group.bars.size() == 1 && group.bars[0].label.empty();
    if (!alone) {
      svg += Text(0, y + 14, "start", group.label);
      y += kBarHeight;
    }
    for (const Bar& bar : group.bars) {
      auto kind = std::ranges::find(kinds, bar.label) - kinds.begin();
      BarRow row{.label = alone ? group.label : bar.label,
                 .y = y,
                 .colour = static_cast<size_t>(kind)};
      svg += RowOf(row, bar, chart.axis, scale);
      y += kBarHeight;
    }
  }
  return Picture(y + 8, svg);
}

std::string SvgOf(const Drawing& drawing) {
  return std::visit([](const auto& content) { return SvgOf(content); },
                    drawing.content);
}

}  // namespace mete
