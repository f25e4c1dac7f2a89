#include "adapters/prometheus/query_answer.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <charconv>
#include <cmath>
#include <optional>

namespace mete {
namespace {

namespace dom = simdjson::dom;

// "0.25", "1e+09", "NaN", "+Inf".
std::optional<double> ReadNumber(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || !std::isfinite(value)) return std::nullopt;
  return value;
}

// {"metric": {…}, "value": [1712345678.9, "0.25"]}
Result<std::optional<MetricSample>> ReadSample(const dom::element& entry) {
  dom::object metric;
  std::string_view text;
  if (entry["metric"].get(metric) != simdjson::SUCCESS ||
      entry["value"].at(1).get(text) != simdjson::SUCCESS) {
    return Corrupt("sample without labels or value");
  }
  auto value = ReadNumber(text);
  if (!value) return std::optional<MetricSample>();
  MetricSample sample{.value = *value};
  for (auto [key, label] : metric) {
    std::string_view label_text;
    if (label.get(label_text) != simdjson::SUCCESS) {
      return Corrupt("label is not a string");
    }
    sample.labels.emplace(key, label_text);
  }
  return std::optional(std::move(sample));
}

}  // namespace

std::string_view MetricSample::Label(std::string_view name) const {
  auto found = labels.find(name);
  return found == labels.end() ? std::string_view() : found->second;
}

Result<std::vector<MetricSample>> ParseQueryAnswer(std::string_view body) {
  dom::parser parser;
  dom::element answer;
  auto error = parser.parse(body.data(), body.size()).get(answer);
  if (error != simdjson::SUCCESS) {
    return Corrupt(fmt::format("not JSON: {}", simdjson::error_message(error)));
  }
  std::string_view status;
  if (answer["status"].get(status) != simdjson::SUCCESS) {
    return Corrupt("no status");
  }
  if (status != "success") {
    std::string_view why;
    if (answer["error"].get(why) != simdjson::SUCCESS) why = "no reason given";
    return Unavailable(fmt::format("rejected: {}", why));
  }
  std::string_view kind;
  dom::array results;
  if (answer["data"]["resultType"].get(kind) != simdjson::SUCCESS ||
      kind != "vector" ||
      answer["data"]["result"].get(results) != simdjson::SUCCESS) {
    return Corrupt("no vector of samples");
  }
  std::vector<MetricSample> samples;
  for (const dom::element& entry : results) {
    ASSIGN_OR_RETURN(auto sample, ReadSample(entry));
    if (sample) samples.push_back(*std::move(sample));
  }
  return samples;
}

}  // namespace mete
