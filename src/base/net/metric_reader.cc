#include "net/metric_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "net/metric_words.h"

namespace mete {
namespace {

std::string_view TakeWord(std::string_view& rest) {
  SkipBlanks(rest);
  std::string_view word = rest.substr(0, rest.find_first_of(" \t"));
  rest.remove_prefix(word.size());
  return word;
}

// Accepts the same as Go: also NaN, Inf and +Inf in any case.
std::optional<double> ParseValue(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  double value = 0;
  const char* end = word.data() + word.size();
  auto [rest, error] = std::from_chars(word.data(), end, value);
  if (word.empty() || word.front() == '+' || rest != end) return std::nullopt;
  if (error == std::errc::result_out_of_range) return HUGE_VAL;
  return error == std::errc() ? std::optional(value) : std::nullopt;
}

Status TakeLabels(std::string_view& rest, ReadMetric& metric) {
  while (!Take(rest, "}")) {
    std::string label = TakeName(rest);
    if (label.empty()) return InvalidInput("label without a name");
    if (!Take(rest, "=")) return InvalidInput("label without a value");
    ASSIGN_OR_RETURN(metric.labels[label], TakeQuoted(rest));
    if (!Take(rest, ",") && !rest.starts_with('}')) {
      return InvalidInput("labels without a closing brace");
    }
  }
  return {};
}

Result<ReadMetric> ReadLine(std::string_view rest) {
  ReadMetric metric;
  std::string name = TakeName(rest);
  if (name.empty()) return InvalidInput("no name");
  if (Take(rest, "{")) RETURN_IF_ERROR(TakeLabels(rest, metric));
  metric.labels["__name__"] = std::move(name);
  std::string_view word = TakeWord(rest);
  if (word.empty()) return InvalidInput("no value");
  auto value = ParseValue(word);
  if (!value) return InvalidInput(fmt::format("'{}' is not a number", word));
  metric.value = *value;
  word = TakeWord(rest);
  if (word.empty() || word == "#") return metric;  // # begins an exemplar
  auto stamp = ParseValue(word);
  if (!stamp || !std::isfinite(*stamp)) {
    return InvalidInput(fmt::format("'{}' is not a timestamp", word));
  }
  // OpenMetrics uses seconds with a decimal point, the text format
  // milliseconds.
  bool seconds = word.find('.') != std::string_view::npos;
  constexpr double kEdge = 9e18;  // of what an integer holds
  metric.milliseconds =
      std::llround(std::clamp(seconds ? *stamp * 1000 : *stamp, -kEdge, kEdge));
  return metric;
}

bool IsComment(std::string_view line) {
  SkipBlanks(line);
  return line.empty() || line.front() == '#';
}

}  // namespace

MetricPage ReadMetricPage(std::string_view text) {
  MetricPage page;
  for (size_t number = 1; !text.empty(); ++number) {
    size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (IsComment(line)) continue;
    auto metric = ReadLine(line);
    if (metric.ok()) {
      page.metrics.push_back(*std::move(metric));
    } else if (page.malformed++ == 0) {
      page.complaint =
          fmt::format("line {}: {}", number, metric.error().message());
    }
  }
  return page;
}

}  // namespace mete
