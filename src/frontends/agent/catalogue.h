// Lists every metric family the agent can export, in the order of the reference
// page docs/reference/metrics.md. A test compares that page with this list.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "net/metric_text.h"

namespace mete {

// A section of the reference page: a title, an optional remark and the metric
// families of one topic.
struct MetricChapter {
  std::string_view title;
  std::string_view remark;
  std::vector<const MetricFamily*> families;
};
std::vector<MetricChapter> MetricCatalogue();

// Formats each chapter as a Markdown table with one row per family.
std::string CatalogueMarkdown(const std::vector<MetricChapter>& chapters);

}  // namespace mete
