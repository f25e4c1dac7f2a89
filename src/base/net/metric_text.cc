#include "net/metric_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "support/check.h"
#include "support/text.h"

namespace mete {
namespace {

// Escapes backslash, quote and line end for a label value.
void AppendEscaped(std::string_view value, std::string& text) {
  for (char c : Tame(value, std::string::npos)) {
    if (c == '\\' || c == '"') text += '\\';
    if (c == '\n') {
      text += "\\n";
    } else {
      text += c;
    }
  }
}

// The fewest digits that parse back to the same number.
void AppendNumber(double value, std::string& text) {
  if (std::isnan(value)) {
    text += "NaN";
  } else if (std::isinf(value)) {
    text += value > 0 ? "+Inf" : "-Inf";
  } else {
    fmt::format_to(std::back_inserter(text), "{}", value);
  }
}

// OpenMetrics names the family of a counter without its _total.
std::string_view FamilyName(const MetricFamily& family, MetricFormat format) {
  std::string_view name = family.name;
  constexpr std::string_view kTotal = "_total";
  bool cut = format == MetricFormat::kOpenMetrics &&
             family.kind == MetricKind::kCounter && name.ends_with(kTotal);
  if (cut) name.remove_suffix(kTotal.size());
  return name;
}

void AppendHead(const MetricFamily& family, MetricFormat format,
                std::string& page) {
  std::string_view name = FamilyName(family, format);
  fmt::format_to(std::back_inserter(page), "# HELP {} {}\n# TYPE {} {}\n", name,
                 family.help, name, ToString(family.kind));
  // OpenMetrics requires that the name ends with the unit.
  bool has_unit = !family.unit.empty() && name.size() > family.unit.size() &&
                  name.ends_with(family.unit) &&
                  name[name.size() - family.unit.size() - 1] == '_';
  if (format == MetricFormat::kOpenMetrics && has_unit) {
    fmt::format_to(std::back_inserter(page), "# UNIT {} {}\n", name,
                   family.unit);
  }
}

// One media type of an Accept field and its weight.
struct Accepted {
  std::string_view type;
  double weight = 1;
};

Accepted ReadAccepted(std::string_view text) {
  Accepted accepted;
  size_t end = text.find(';');
  accepted.type = text.substr(0, end);
  size_t weight = text.find("q=");
  if (weight == std::string_view::npos) return accepted;
  // At most three digits, by the standard.
  std::string digits(text.substr(weight + 2, 5));
  accepted.weight = std::strtod(digits.c_str(), nullptr);
  return accepted;
}

}  // namespace

const char* ToString(MetricKind kind) {
  switch (kind) {
    case MetricKind::kGauge:
      return "gauge";
    case MetricKind::kCounter:
      return "counter";
    case MetricKind::kHistogram:
      return "histogram";
    case MetricKind::kSummary:
      return "summary";
  }
  CHECK(false);
}

MetricLabels::MetricLabels(
    std::initializer_list<std::pair<std::string_view, std::string_view>>
        labels) {
  for (const auto& [name, value] : labels) Add(name, value);
}

MetricLabels& MetricLabels::Add(std::string_view name, std::string_view value) {
  if (!text_.empty()) text_ += ',';
  text_ += name;
  text_ += "=\"";
  AppendEscaped(value, text_);
  text_ += '"';
  return *this;
}

std::string& MetricBatch::LinesFor(const MetricFamily& family) {
  if (last_ < parts_.size() && parts_[last_].family == &family) {
    return parts_[last_].lines;
  }
  // Things of the same kind add their samples in the same order.
  size_t next = last_ + 1;
  if (next < parts_.size() && parts_[next].family == &family) {
    last_ = next;
    return parts_[last_].lines;
  }
  auto found = std::ranges::find(parts_, &family, &Part::family);
  last_ = static_cast<size_t>(found - parts_.begin());
  if (found == parts_.end()) parts_.push_back({&family, ""});
  return parts_[last_].lines;
}

void MetricBatch::Add(const MetricFamily& family, const MetricLabels& labels,
                      double value) {
  AddPart(family, "", labels, value);
}

void MetricBatch::AddPart(const MetricFamily& family, std::string_view suffix,
                          const MetricLabels& labels, double value) {
  std::string& lines = LinesFor(family);
  lines += family.name;
  lines += suffix;
  if (!labels.text().empty()) {
    lines += '{';
    lines += labels.text();
    lines += '}';
  }
  lines += ' ';
  AppendNumber(value, lines);
  lines += '\n';
}

void MetricBatch::Clear() {
  for (Part& part : parts_) part.lines.clear();
  last_ = 0;
}

MetricFormat ChooseMetricFormat(std::string_view accept) {
  double open = 0;
  double plain = 0;
  while (!accept.empty()) {
    size_t comma = accept.find(',');
    std::string_view entry = accept.substr(0, comma);
    accept.remove_prefix(comma == accept.npos ? accept.size() : comma + 1);
    entry.remove_prefix(std::min(entry.find_first_not_of(" \t"), entry.size()));
    Accepted accepted = ReadAccepted(entry);
    if (accepted.type.starts_with("application/openmetrics-text")) {
      open = std::max(open, accepted.weight);
    } else if (accepted.type.starts_with("text/plain")) {
      plain = std::max(plain, accepted.weight);
    }
  }
  return open > 0 && open >= plain ? MetricFormat::kOpenMetrics
                                   : MetricFormat::kText;
}

std::string_view ContentTypeFor(MetricFormat format) {
  return format == MetricFormat::kText
             ? "text/plain; version=0.0.4; charset=utf-8"
             : "application/openmetrics-text; version=1.0.0; charset=utf-8";
}

std::string WriteMetricPage(const std::vector<const MetricBatch*>& batches,
                            MetricFormat format) {
  std::vector<const MetricFamily*> order;
  size_t size = 0;
  for (const MetricBatch* batch : batches) {
    for (const MetricBatch::Part& part : batch->parts()) {
      if (part.lines.empty()) continue;
      size += part.lines.size() + 256;
      if (std::ranges::count(order, part.family) == 0) {
        order.push_back(part.family);
      }
    }
  }
  std::string page;
  page.reserve(size);
  for (const MetricFamily* family : order) {
    AppendHead(*family, format, page);
    for (const MetricBatch* batch : batches) {
      for (const MetricBatch::Part& part : batch->parts()) {
        if (part.family == family) page += part.lines;
      }
    }
  }
  if (format == MetricFormat::kOpenMetrics) page += "# EOF\n";
  return page;
}

}  // namespace mete
