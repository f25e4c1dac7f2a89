#include "adapters/prometheus/prometheus_series.h"

#include <chrono>

namespace mete {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kDeadline{2000};

Result<SeriesValues> ToSeries(const Result<std::vector<MetricSample>>& said) {
  if (!said.ok()) return said.error();
  SeriesValues values;
  for (const MetricSample& sample : *said) {
    values.push_back({.labels = sample.labels, .value = sample.value});
  }
  return values;
}

}  // namespace

Status PrometheusSeries::Check(const std::string&) const { return {}; }

std::vector<Result<SeriesValues>> PrometheusSeries::Ask(
    const std::vector<std::string>& selectors, std::stop_token stop) {
  const auto end = steady_clock::now() + kDeadline;
  std::vector<Result<SeriesValues>> answers;
  for (const std::string& selector : selectors) {
    auto left =
        std::chrono::duration_cast<milliseconds>(end - steady_clock::now());
    if (left.count() <= 0 || stop.stop_requested()) {
      answers.push_back(
          Error(ErrorCode::kTimeout, "query Prometheus: too slow"));
      continue;
    }
    answers.push_back(ToSeries(client_.Query(selector, left)));
  }
  return answers;
}

}  // namespace mete
