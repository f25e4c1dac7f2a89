// Writes metrics in the Prometheus text format or OpenMetrics: families are
// declared once, samples are added to batches, and batches are joined to a
// page.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mete {

// Type of a metric family.
enum class MetricKind { kGauge, kCounter, kHistogram, kSummary };
const char* ToString(MetricKind kind);

// The metrics exported under one name. Declare it once as a constant with
// static lifetime: pages and batches point to it, and the reference page is
// generated from it.
struct MetricFamily {
  std::string_view name;  // including the _total of a counter
  MetricKind kind = MetricKind::kGauge;
  std::string_view unit;    // "seconds", "bytes", "ratio"; "" for plain counts
  std::string_view labels;  // "container, pod"; without common labels
  std::string_view help;    // one sentence for the page and the reference
  std::string_view caveat;  // what it does not cover; may be ""
};

// Escaped labels of a sample, ready to be written: `a="b",c="d"`. Create them
// once for several samples of the same thing.
class MetricLabels {
 public:
  MetricLabels() = default;
  MetricLabels(
      std::initializer_list<std::pair<std::string_view, std::string_view>>
          labels);

  // Names must be valid and unique. Values may contain any bytes; invalid UTF-8
  // becomes U+FFFD, because one such byte makes Prometheus reject the page.
  MetricLabels& Add(std::string_view name, std::string_view value);
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// Samples of some families. Keeps the lines of a family together whatever the
// order of the calls. Not thread-safe.
class MetricBatch {
 public:
  void Add(const MetricFamily& family, const MetricLabels& labels,
           double value);
  void Add(const MetricFamily& family, double value) {
    Add(family, MetricLabels(), value);
  }
  // Adds "_bucket", "_sum" or "_count" of a histogram or summary.
  void AddPart(const MetricFamily& family, std::string_view suffix,
               const MetricLabels& labels, double value);

  // The lines of one family.
  struct Part {
    const MetricFamily* family = nullptr;
    std::string lines;
  };
  // In the order in which the families first appeared.
  const std::vector<Part>& parts() const { return parts_; }
  // Removes the samples but keeps the memory.
  void Clear();

 private:
  std::string& LinesFor(const MetricFamily& family);

  std::vector<Part> parts_;
  size_t last_ = 0;  // consecutive samples are often of one family
};

// Output format of a page.
enum class MetricFormat { kText, kOpenMetrics };
// The format a client prefers by its Accept field; plain text by default.
MetricFormat ChooseMetricFormat(std::string_view accept);
std::string_view ContentTypeFor(MetricFormat format);

// One page from several batches. A family that appears in two of them is
// written once, with the samples of both.
std::string WriteMetricPage(const std::vector<const MetricBatch*>& batches,
                            MetricFormat format);

}  // namespace mete
