// Reads arbitrary text as the configuration of mete watch. What is accepted has
// a window of some steps, and queries with the labels that name their subjects.
#include "fuzz/input.h"
#include "support/check.h"
#include "watch/watch_config.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  auto config =
      mete::ParseWatchConfig(std::string(fuzz::ToText(bytes, size)), "w.yaml");
  if (!config.ok()) return 0;
  CHECK(config->step.count() > 0 && config->period.count() > 0);
  CHECK(config->window >= 8 * config->step);
  for (const mete::WatchedMetric& metric : config->metrics) {
    CHECK(!metric.name.empty() && !metric.sources.empty());
    for (const mete::MetricQuery& query : metric.sources) {
      CHECK(!query.promql.empty() && !query.labels.empty());
    }
  }
  return 0;
}
