// Uses the first line as a selector and the rest as a page of metrics. Neither
// may crash or hang the reader, and the selector must work on every series.
#include "fuzz/input.h"
#include "net/metric_reader.h"
#include "support/check.h"

namespace {

// Selectors are written by the user. For regular expressions the standard
// library recurses for every character, may take exponential time, and
// overflows when it counts repetitions.
bool IsModest(std::string_view selector) {
  constexpr std::string_view kDigits = "0123456789";
  size_t digits = 0;
  for (char c : selector) {
    digits = kDigits.find(c) == std::string_view::npos ? 0 : digits + 1;
    if (digits > 2) return false;
  }
  return selector.size() <= 64;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  std::string_view rest = fuzz::ToText(bytes, size);
  const std::string_view written = fuzz::TakeLine(rest);
  const mete::MetricPage page = mete::ReadMetricPage(rest);
  CHECK((page.malformed == 0) == page.complaint.empty());
  if (!IsModest(written)) return 0;
  auto selector = mete::MetricSelector::Parse(written);
  for (mete::ReadMetric metric : page.metrics) {
    CHECK(!metric.labels.at("__name__").empty());
    for (auto& [name, value] : metric.labels) {
      if (value.size() > 12) value.resize(12);
    }
    if (selector.ok()) selector->Chooses(metric);
  }
  return 0;
}
