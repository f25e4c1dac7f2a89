// Every family of metrics the agent may tell, in the order of the reference
// page docs/reference/metrics.md, which a test holds against this.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "net/metric_text.h"

namespace mete {

struct MetricChapter {
  std::string_view title;
  std::string_view remark;
  std::vector<const MetricFamily*> families;
};
std::vector<MetricChapter> MetricCatalogue();

// The chapters as Markdown: a table each, one row for a family.
std::string CatalogueMarkdown(const std::vector<MetricChapter>& chapters);

}  // namespace mete
