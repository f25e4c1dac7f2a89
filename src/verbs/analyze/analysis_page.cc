#include "analyze/analysis_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analyze/analysis_text.h"
#include "analyze/duration_text.h"
#include "report/html.h"
#include "report/page_files.h"
#include "support/json.h"

namespace mete {
namespace {

constexpr size_t kMostPagePoints = 1500;

// Means of neighbours, so that a long series does not make a large page.
struct PageCurve {
  std::vector<double> x;  // in the unit of the axis
  std::vector<double> y, low, high;
};

PageCurve Measured(const FileAnalysis& analysis, double unit) {
  PageCurve curve;
  const SeriesSummary& summary = *analysis.analysis.summary;
  const double length = std::max(1.0, summary.end - summary.start);
  std::vector<double> sum(kMostPagePoints), count(kMostPagePoints);
  for (size_t i = 0; i < analysis.series.times.size(); ++i) {
    const double value = analysis.series.values[i];
    if (!std::isfinite(value)) continue;
    const double share = (analysis.series.times[i] - summary.start) / length;
    const auto at = static_cast<size_t>(
        std::clamp(share * kMostPagePoints, 0.0, kMostPagePoints - 1.0));
    sum[at] += value;
    count[at] += 1;
  }
  for (size_t i = 0; i < kMostPagePoints; ++i) {
    if (count[i] == 0) continue;
    curve.x.push_back((static_cast<double>(i) + 0.5) / kMostPagePoints *
                      length / unit);
    curve.y.push_back(sum[i] / count[i]);
  }
  return curve;
}

PageCurve Ahead(const SeriesForecast& forecast, double start, double unit) {
  PageCurve curve;
  const size_t stride =
      std::max<size_t>(1, forecast.values.size() / (kMostPagePoints / 4));
  for (size_t i = 0; i < forecast.values.size(); i += stride) {
    curve.x.push_back((forecast.start - start +
                       forecast.step.count() * static_cast<double>(i)) /
                      unit);
    curve.y.push_back(forecast.values[i]);
    curve.low.push_back(forecast.low[i]);
    curve.high.push_back(forecast.high[i]);
  }
  return curve;
}

// Ticks at 1, 2 or 5 times a power of ten.
Json AxisJson(const std::string& title, double begin, double end) {
  const double raw = std::max(1e-300, (end - begin) / 6);
  const double power = std::pow(10, std::floor(std::log10(raw)));
  double step = power;
  for (double factor : {2.0, 5.0, 10.0}) {
    if (step < raw) step = factor * power;
  }
  Json ticks = Json::array();
  for (double at = std::ceil(begin / step) * step; at <= end + step * 1e-9;
       at += step) {
    const double clean = std::abs(at) < step * 1e-9 ? 0 : at;
    ticks.push_back({{"at", clean}, {"text", fmt::format("{:.6g}", clean)}});
  }
  return {{"title", title}, {"begin", begin}, {"end", end}, {"ticks", ticks}};
}

// One curve over the points of both; null where the other has them.
Json CurveJson(const char* label, const PageCurve& curve, size_t before,
               size_t after) {
  Json values = Json::array(), texts = Json::array(), bands = Json::array();
  for (size_t i = 0; i < before; ++i) {
    values.push_back(nullptr);
    texts.push_back(nullptr);
  }
  Json band = Json::array();
  for (size_t i = 0; i < curve.y.size(); ++i) {
    values.push_back(curve.y[i]);
    if (curve.low.empty()) {
      texts.push_back(fmt::format("{:.4g}", curve.y[i]));
      continue;
    }
    texts.push_back(fmt::format("{:.4g} ({:.4g} to {:.4g})", curve.y[i],
                                curve.low[i], curve.high[i]));
    band.push_back(
        {{"x", curve.x[i]}, {"low", curve.low[i]}, {"high", curve.high[i]}});
  }
  if (!band.empty()) bands.push_back(std::move(band));
  for (size_t i = 0; i < after; ++i) {
    values.push_back(nullptr);
    texts.push_back(nullptr);
  }
  return {{"label", label}, {"values", values},          {"texts", texts},
          {"bands", bands}, {"failures", Json::array()}, {"aside", false},
          {"dense", true}};
}

struct TimeUnit {
  const char* name;
  double seconds;
};
TimeUnit UnitFor(double length) {
  if (length > 4 * 86400) return {"days", 86400};
  if (length > 4 * 3600) return {"hours", 3600};
  if (length > 240) return {"minutes", 60};
  return {"seconds", 1};
}

Json ChartJson(const FileAnalysis& analysis) {
  const SeriesSummary& summary = *analysis.analysis.summary;
  const TimeUnit unit = UnitFor(summary.end - summary.start);
  const PageCurve measured = Measured(analysis, unit.seconds);
  PageCurve ahead;
  if (analysis.analysis.forecast) {
    ahead = Ahead(*analysis.analysis.forecast, summary.start, unit.seconds);
  }
  double low = summary.min, high = summary.max;
  for (double value : ahead.low) low = std::min(low, value);
  for (double value : ahead.high) high = std::max(high, value);
  if (low > 0 && low < 0.5 * high) low = 0;
  const double room = high > low ? 0.05 * (high - low) : 1;
  std::vector<double> x = measured.x;
  x.insert(x.end(), ahead.x.begin(), ahead.x.end());
  Json texts = Json::array();
  for (double at : x) {
    texts.push_back(TimeText(summary.start + at * unit.seconds));
  }
  Json chart{
      {"label", "The series and its forecast over time"},
      {"x", x},
      {"x_texts", texts},
      {"x_axis",
       AxisJson(fmt::format("{} since {}", unit.name, TimeText(summary.start)),
                0, x.empty() ? 1 : x.back())},
      {"y_axis", AxisJson("value", low == 0 ? 0 : low - room, high + room)}};
  chart["y_axis"]["log"] = false;
  chart["series"] = Json::array();
  chart["series"].push_back(CurveJson("measured", measured, 0, ahead.x.size()));
  if (!ahead.x.empty()) {
    chart["series"].push_back(
        CurveJson("forecast", ahead, measured.x.size(), 0));
  }
  return chart;
}

std::string PeriodRows(const SeriesAnalysis& analysis) {
  if (analysis.periods.empty()) return "<p>No period was found.</p>\n";
  std::string html =
      "<div class=\"wide\"><table>\n<tr><th>period</th><th>cycles</th>"
      "<th>confidence</th><th>explains</th><th></th></tr>\n";
  for (const SeriesPeriod& period : analysis.periods) {
    const bool judged = period.confidence > 0;
    html += fmt::format(
        "<tr><td>{}</td><td>{:.1f}</td><td>{}</td><td>{}</td><td>{}</td>"
        "</tr>\n",
        Escaped(DurationText(period.length)), period.cycles,
        judged ? fmt::format("{:.2f}", period.confidence) : "",
        judged ? fmt::format("{:.0f} %", 100 * period.strength) : "",
        period.tentative ? "tentative: fewer than three cycles" : "");
  }
  return html + "</table></div>\n";
}

}  // namespace

std::string AnalysisPage(const FileAnalysis& analysis,
                         const std::string& mete_version) {
  std::string html = PageHead(analysis.name, {kUplotStyle, kPageStyle});
  html += "<body>\n<header>\n<h1>" + Escaped(analysis.name) + "</h1>\n";
  const auto& summary = analysis.analysis.summary;
  if (summary) {
    html += fmt::format("<p class=\"quiet\">{} every {}, {} to {}</p>\n",
                        Counted(summary->count, "value"),
                        Escaped(DurationText(summary->step)),
                        TimeText(summary->start), TimeText(summary->end));
  } else {
    html += "<p class=\"quiet\">no values</p>\n";
  }
  html += "</header>\n<main>\n<section>\n";
  if (summary) {
    html += fmt::format(
        "<figure>\n<div class=\"charts\" id=\"charts-0\"></div>\n"
        "<noscript><p>The plot needs JavaScript.</p></noscript>\n"
        "<script type=\"application/json\" id=\"data-0\">{}</script>\n"
        "<figcaption class=\"quiet\">The shaded area is the prediction "
        "interval of the forecast.</figcaption>\n</figure>\n",
        ScriptJson(Json::array({Json::array({ChartJson(analysis)})})));
  }
  html += "<h2>Periods</h2>\n" + PeriodRows(analysis.analysis);
  html += "<h2>Findings</h2>\n<ul>\n";
  for (const std::string& line : AnalysisSentences(analysis)) {
    html += "<li>" + EscapedProse(line) + "</li>\n";
  }
  html += "</ul>\n</section>\n";
  return html + "</main>\n<footer>mete " + Escaped(mete_version) +
         ChartLicence() + "</footer>\n" + ChartScripts() + "</body>\n</html>\n";
}

}  // namespace mete
