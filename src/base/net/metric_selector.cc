#include "net/metric_selector.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <utility>

#include "net/metric_words.h"

namespace mete {
namespace {

re2::RE2::Options PatternOptions() {
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_dot_nl(true);  // as in Prometheus
  return options;
}

}  // namespace

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
