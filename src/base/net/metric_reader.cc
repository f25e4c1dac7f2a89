#include "net/metric_reader.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace mete {
namespace {

bool StartsName(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == ':';
}
bool IsName(char c) { return StartsName(c) || (c >= '0' && c <= '9'); }

void SkipBlanks(std::string_view& rest) {
  while (!rest.empty() && (rest.front() == ' ' || rest.front() == '\t')) {
    rest.remove_prefix(1);
  }
}

bool Take(std::string_view& rest, std::string_view token) {
  SkipBlanks(rest);
  if (!rest.starts_with(token)) return false;
  rest.remove_prefix(token.size());
  return true;
}

// "" when there is no name.
std::string TakeName(std::string_view& rest) {
  SkipBlanks(rest);
  size_t length = 0;
  while (length < rest.size() &&
         (length == 0 ? StartsName(rest[0]) : IsName(rest[length]))) {
    ++length;
  }
  std::string name(rest.substr(0, length));
  rest.remove_prefix(length);
  return name;
}

// Inside quotes: \\, \" and \n; any other pair is kept.
Result<std::string> TakeQuoted(std::string_view& rest) {
  if (!Take(rest, "\"")) return InvalidInput("value is not quoted");
  std::string text;
  for (size_t i = 0; i < rest.size(); ++i) {
    if (rest[i] == '"') {
      rest.remove_prefix(i + 1);
      return text;
    }
    if (rest[i] != '\\' || i + 1 == rest.size()) {
      text += rest[i];
      continue;
    }
    char next = rest[++i];
    if (next == 'n') {
      text += '\n';
    } else if (next == '"' || next == '\\') {
      text += next;
    } else {
      text += {'\\', next};
    }
  }
  return InvalidInput("unclosed quote");
}

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

re2::RE2::Options PatternOptions() {
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_dot_nl(true);  // as in Prometheus
  return options;
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

Result<MetricSelector::Matcher> MetricSelector::ParseMatcher(
    std::string_view& rest) {
  Matcher matcher{.label = TakeName(rest)};
  if (matcher.label.empty()) return InvalidInput("label without a name");
  bool pattern = false;
  if (Take(rest, "=~")) {
    pattern = true;
  } else if (Take(rest, "!~")) {
    pattern = matcher.negated = true;
  } else if (Take(rest, "!=")) {
    matcher.negated = true;
  } else if (!Take(rest, "=")) {
    return InvalidInput(fmt::format(
        "'{}' must be followed by =, !=, =~ or !~ and a value", matcher.label));
  }
  ASSIGN_OR_RETURN(matcher.text, TakeQuoted(rest));
  if (!pattern) return matcher;
  auto compiled =
      std::make_shared<const re2::RE2>(matcher.text, PatternOptions());
  if (!compiled->ok()) {
    return InvalidInput(
        fmt::format("'{}' is not a valid regular expression: {}", matcher.text,
                    compiled->error()));
  }
  matcher.pattern = std::move(compiled);
  return matcher;
}

Result<MetricSelector> MetricSelector::Parse(std::string_view text) {
  MetricSelector selector;
  std::string_view rest = text;
  auto wrong = [&](const std::string& what) {
    return InvalidInput(fmt::format(
        "'{}' is not a selector like name{{label=\"value\"}}: {}", text, what));
  };
  std::string name = TakeName(rest);
  if (!name.empty()) {
    selector.matchers_.push_back({.label = "__name__", .text = name});
  }
  if (Take(rest, "{")) {
    while (!Take(rest, "}")) {
      auto matcher = ParseMatcher(rest);
      if (!matcher.ok()) return wrong(matcher.error().message());
      selector.matchers_.push_back(*std::move(matcher));
      if (!Take(rest, ",") && !rest.starts_with('}')) {
        return wrong("missing closing brace");
      }
    }
  }
  SkipBlanks(rest);
  if (!rest.empty()) return wrong(fmt::format("unexpected '{}'", rest));
  if (selector.matchers_.empty()) return wrong("it selects nothing");
  return selector;
}

bool MetricSelector::Chooses(const ReadMetric& metric) const {
  for (const Matcher& matcher : matchers_) {
    auto found = metric.labels.find(matcher.label);
    std::string_view value;
    if (found != metric.labels.end()) value = found->second;
    bool fits = matcher.pattern
                    ? re2::RE2::FullMatch({value.data(), value.size()},
                                          *matcher.pattern)
                    : value == matcher.text;
    if (fits == matcher.negated) return false;
  }
  return true;
}

}  // namespace mete
