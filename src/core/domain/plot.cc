#include "domain/plot.h"

#include <algorithm>
#include <cmath>

namespace mete {
namespace {

constexpr int kSteps = 6;  // approximately

// 1, 2 or 5 times a power of ten, or a power of two.
double ChooseStep(double end, bool binary) {
  double rough = std::max(end, 1e-12) / kSteps;
  if (binary) return std::exp2(std::ceil(std::log2(rough)));
  double power = std::pow(10, std::floor(std::log10(rough)));
  for (double factor : {1.0, 2.0, 5.0}) {
    if (rough <= factor * power) return factor * power;
  }
  return 10 * power;
}

}  // namespace

AxisScale ScaleFor(double most, const PlotAxis& axis) {
  double step = ChooseStep(most, axis.binary);
  double steps = std::max(1.0, std::ceil(most / step - 1e-9));
  return {.end = step * steps, .step = step};
}

AxisScale ScaleOfX(const Plot& plot) {
  double most = 0;
  for (const PlotSeries& series : plot.series) {
    for (const PlotPoint& point : series.points) most = std::max(most, point.x);
    for (double failed : series.failures) most = std::max(most, failed);
  }
  return ScaleFor(most, plot.x);
}

AxisScale ScaleOfY(const Plot& plot) {
  double most = 0;
  for (const PlotSeries& series : plot.series) {
    for (const PlotPoint& point : series.points) {
      most = std::max({most, point.y, point.high.value_or(0)});
    }
  }
  return ScaleFor(most, plot.y);
}

AxisScale ScaleFor(const BarChart& chart) {
  double most = 0;
  for (const BarGroup& group : chart.groups) {
    for (const Bar& bar : group.bars) most = std::max(most, bar.value);
  }
  return ScaleFor(most, chart.axis);
}

std::string ValueText(const Bar& bar, const PlotAxis& axis) {
  return (bar.at_most ? "≤ " : "") + axis.format(bar.value);
}

std::vector<std::string> ListKinds(const BarChart& chart) {
  std::vector<std::string> kinds;
  for (const BarGroup& group : chart.groups) {
    for (const Bar& bar : group.bars) {
      if (std::ranges::find(kinds, bar.label) == kinds.end()) {
        kinds.push_back(bar.label);
      }
    }
  }
  return kinds;
}

}  // namespace mete
