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

constexpr double kWideSpan = 20;
constexpr double kTicFactors[] = {1, 2, 5};

// The values that the axis has to show, from the least to the most.
struct Span {
  double least = 0;
  double most = 0;
};

Span SpanOfY(const Plot& plot) {
  Span span{.least = HUGE_VAL};
  for (const PlotSeries& series : plot.series) {
    for (const PlotPoint& point : series.points) {
      span.least = std::min(span.least, point.y);
      span.most = std::max({span.most, point.y, point.high.value_or(0)});
    }
  }
  return span;
}

// From the last tic below to the first one above.
AxisScale LogScale(const Span& span) {
  AxisScale scale{.log = true};
  double power = std::pow(10, std::floor(std::log10(span.least)));
  for (double factor : kTicFactors) {
    if (factor * power < span.least * 0.999) scale.begin = factor * power;
  }
  if (scale.begin == 0) scale.begin = power / 2;
  power = std::pow(10, std::floor(std::log10(span.most)));
  scale.end = 10 * power;
  for (double factor : {5.0, 2.0, 1.0}) {
    if (factor * power >= span.most * 0.999) scale.end = factor * power;
  }
  return scale;
}

}  // namespace

std::vector<double> AxisScale::Tics() const {
  std::vector<double> tics;
  if (!log) {
    for (double at = 0; at <= end * 1.0001; at += step) tics.push_back(at);
    return tics;
  }
  // Over many decades, the powers of ten are enough.
  const bool many = end / begin > 2e4;
  for (double power = std::pow(10, std::floor(std::log10(begin)));
       power <= end * 1.0001; power *= 10) {
    for (double factor : kTicFactors) {
      double at = factor * power;
      bool inside = at >= begin * 0.9999 && at <= end * 1.0001;
      if (inside && (factor == 1 || !many)) tics.push_back(at);
    }
  }
  return tics;
}

double AxisScale::At(double share) const {
  return log ? begin * std::pow(end / begin, share)
             : begin + share * (end - begin);
}

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
  const Span span = SpanOfY(plot);
  const bool log =
      plot.y.may_be_log && span.least > 0 && span.most > kWideSpan * span.least;
  return log ? LogScale(span) : ScaleFor(span.most, plot.y);
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
