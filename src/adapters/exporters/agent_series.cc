#include "adapters/exporters/agent_series.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "net/metric_selector.h"

namespace mete {
namespace {

// A mete-agent omits from its page what took more than two seconds to read, so
// a page may take slightly longer than that.
constexpr std::chrono::milliseconds kDeadline{3000};

Seconds ComputeAge(const ReadMetric& metric, const Clock& clock) {
  if (!metric.milliseconds) return Seconds(0);
  // As numbers of seconds, because any stamp may come.
  const Seconds stamp(static_cast<double>(*metric.milliseconds) / 1000);
  return std::max(Seconds(0), Seconds(clock.Wall().time_since_epoch()) - stamp);
}

Result<SeriesValues> Choose(const MetricPage& page, const std::string& text,
                            const Clock& clock) {
  ASSIGN_OR_RETURN(MetricSelector selector, MetricSelector::Parse(text));
  SeriesValues values;
  for (const ReadMetric& metric : page.metrics) {
    if (!selector.Chooses(metric) || !std::isfinite(metric.value)) continue;
    values.push_back({.labels = metric.labels,
                      .value = metric.value,
                      .age = ComputeAge(metric, clock)});
  }
  return values;
}

}  // namespace

Result<std::unique_ptr<AgentSeries>> AgentSeries::Open(const std::string& url,
                                                       const Clock& clock) {
  ASSIGN_OR_RETURN(LoginUrl login, SplitLogin(url));
  ASSIGN_OR_RETURN(Url place, ParseUrl(login.url));
  return std::unique_ptr<AgentSeries>(
      new AgentSeries(std::move(login), std::move(place), clock));
}

AgentSeries::AgentSeries(LoginUrl login, Url url, const Clock& clock)
    : name_(std::move(login.url)),
      target_(url.path.empty() ? "/metrics" : url.path),
      fields_(login.Fields()),
      client_(std::move(url.endpoint)),
      clock_(clock) {
  fields_["accept"] = "text/plain";
}

Status AgentSeries::Check(const std::string& selector) const {
  auto parsed = MetricSelector::Parse(selector);
  return parsed.ok() ? Status() : Status(parsed.error());
}

Result<std::string> AgentSeries::Page(std::stop_token stop) const {
  auto response =
      client_.Send({.target = target_, .fields = fields_},
                   {.silence = kDeadline, .whole = kDeadline}, std::move(stop));
  if (!response.ok()) return response.error();
  if (response->ok()) return std::move(response->body);
  return Unavailable(fmt::format("{}{} responded with status {}", name_,
                                 target_, response->status));
}

std::vector<Result<SeriesValues>> AgentSeries::Ask(
    const std::vector<std::string>& selectors, std::stop_token stop) {
  std::vector<Result<SeriesValues>> answers;
  auto text = Page(std::move(stop));
  MetricPage page = text.ok() ? ReadMetricPage(*text) : MetricPage();
  for (const std::string& selector : selectors) {
    answers.push_back(text.ok() ? Choose(page, selector, clock_)
                                : Result<SeriesValues>(text.error()));
  }
  return answers;
}

}  // namespace mete
