#include "report/plot_chart.h"

#include <algorithm>
#include <map>

#include "support/json.h"
#include "support/text.h"

namespace mete {
namespace {

constexpr size_t kLongestLabel = 32;  // characters

Json AxisToJson(const PlotAxis& axis, const AxisScale& scale) {
  Json json;
  json["title"] = axis.title;
  json["begin"] = scale.begin;
  json["end"] = scale.end;
  json["log"] = scale.log;
  json["ticks"] = Json::array();
  for (double at : scale.Tics()) {
    json["ticks"].push_back({{"at", at}, {"text", axis.format(at)}});
  }
  return json;
}

// An x where one series has several points is repeated.
std::vector<double> SharedX(const Plot& plot) {
  std::map<double, size_t> most;
  for (const PlotSeries& series : plot.series) {
    std::map<double, size_t> here;
    for (const PlotPoint& point : series.points) ++here[point.x];
    for (double failed : series.failures) here.try_emplace(failed, 1);
    for (auto [x, count] : here) most[x] = std::max(most[x], count);
  }
  std::vector<double> shared;
  for (auto [x, count] : most) shared.insert(shared.end(), count, x);
  return shared;
}

Json BandsToJson(const std::vector<PlotPoint>& points) {
  Json bands = Json::array();
  bool open = false;
  for (const PlotPoint& point : points) {
    const bool has_interval = point.low && point.high;
    if (has_interval) {
      if (!open) bands.push_back(Json::array());
      bands.back().push_back(
          {{"x", point.x}, {"low", *point.low}, {"high", *point.high}});
    }
    open = has_interval;
  }
  return bands;
}

std::string PointText(const PlotPoint& point, const PlotAxis& axis) {
  std::string text = axis.format(point.y);
  if (!point.low || !point.high) return text;
  return text + " (" + axis.format(*point.low) + " to " +
         axis.format(*point.high) + ")";
}

Json SeriesToJson(const PlotSeries& series, const PlotAxis& axis,
                  const std::vector<double>& shared) {
  Json json;
  json["label"] = ShortenMiddle(series.label, kLongestLabel);
  json["values"] = Json::array();
  json["texts"] = Json::array();
  auto point = series.points.begin();
  for (double x : shared) {
    const bool here = point != series.points.end() && point->x == x;
    const bool failed =
        std::ranges::find(series.failures, x) != series.failures.end();
    json["values"].push_back(here ? Json(point->y) : Json());
    std::string text = here ? PointText(*point, axis) : "";
    if (failed) text += here ? ", some runs failed" : "failed";
    json["texts"].push_back(text.empty() ? Json() : Json(text));
    if (here) ++point;
  }
  json["bands"] = BandsToJson(series.points);
  json["failures"] = series.failures;
  json["aside"] = series.aside;
  return json;
}

}  // namespace

Json PlotToChart(const Plot& plot) {
  const std::vector<double> shared = SharedX(plot);
  Json json;
  json["x"] = shared;
  json["x_texts"] = Json::array();
  for (double x : shared) json["x_texts"].push_back(plot.x.format(x));
  json["x_axis"] = AxisToJson(plot.x, ScaleOfX(plot));
  json["y_axis"] = AxisToJson(plot.y, ScaleOfY(plot));
  json["series"] = Json::array();
  for (const PlotSeries& series : plot.series) {
    json["series"].push_back(SeriesToJson(series, plot.y, shared));
  }
  return json;
}

}  // namespace mete
