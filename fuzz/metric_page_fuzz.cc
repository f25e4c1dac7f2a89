// Uses the first line as a selector and the rest as a page of metrics. Neither
// may crash or hang the reader, and the selector must work on every series.
#include "fuzz/input.h"
#include "net/metric_selector.h"
#include "support/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  std::string_view rest = fuzz::ToText(bytes, size);
  const std::string_view written = fuzz::TakeLine(rest);
  const mete::MetricPage page = mete::ReadMetricPage(rest);
  CHECK((page.malformed == 0) == page.complaint.empty());
  auto selector = mete::MetricSelector::Parse(written);
  for (const mete::ReadMetric& metric : page.metrics) {
    CHECK(!metric.labels.at("__name__").empty());
    if (selector.ok()) selector->Chooses(metric);
  }
  return 0;
}
