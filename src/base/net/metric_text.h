// Metrics as Prometheus reads them: families declared once, samples written
// into a batch, batches joined to one page of the text format or OpenMetrics.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mete {

enum class MetricKind { kGauge, kCounter, kHistogram, kSummary };
const char* NameOf(MetricKind kind);

// What is exported under one name. Declared once as a constant that lives for
// ever: pages and batches point to it, and the reference page is made from it.
struct MetricFamily {
  std::string_view name;  // with _total of a counter
  MetricKind kind = MetricKind::kGauge;
  std::string_view unit;    // "seconds", "bytes", "ratio"; "" for plain counts
  std::string_view labels;  // "container, pod"; those every series has left out
  std::string_view help;    // one sentence for the page and the reference
  std::string_view caveat;  // what it does not tell; "" when nothing is left
};

// Labels of a sample, escaped, ready to be written: `a="b",c="d"`. Made once
// for many samples of the same thing.
class MetricLabels {
 public:
  MetricLabels() = default;
  MetricLabels(
      std::initializer_list<std::pair<std::string_view, std::string_view>>
          labels);

  // Names must be valid and not repeat; values may hold any bytes: what is not
  // UTF-8 becomes U+FFFD, since one such byte makes Prometheus refuse the page.
  MetricLabels& Add(std::string_view name, std::string_view value);
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// The samples of some families, each family's lines in one piece however they
// were added. One thread.
class MetricBatch {
 public:
  void Add(const MetricFamily& family, const MetricLabels& labels,
           double value);
  void Add(const MetricFamily& family, double value) {
    Add(family, MetricLabels(), value);
  }
  // "_bucket", "_sum", "_count" of a histogram or summary.
  void AddPart(const MetricFamily& family, std::string_view suffix,
               const MetricLabels& labels, double value);

  struct Part {
    const MetricFamily* family = nullptr;
    std::string lines;
  };
  // In the order in which the families first appeared.
  const std::vector<Part>& parts() const { return parts_; }
  // Forgets the samples and keeps the room they took.
  void Clear();

 private:
  std::string& LinesOf(const MetricFamily& family);

  std::vector<Part> parts_;
  size_t last_ = 0;  // samples of one family often follow each other
};

enum class MetricFormat { kText, kOpenMetrics };
// What a client wants by its Accept field; plain text unless it prefers
// OpenMetrics.
MetricFormat ChooseMetricFormat(std::string_view accept);
std::string_view ContentTypeOf(MetricFormat format);

// One page of several batches. A family that stands in two of them is written
// once, with the samples of both.
std::string WriteMetricPage(const std::vector<const MetricBatch*>& batches,
                            MetricFormat format);

}  // namespace mete
