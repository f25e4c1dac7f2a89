#include "adapters/prometheus/range_answer.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace mete {
namespace {

namespace ondemand = simdjson::ondemand;

// In seconds since 1970: the year 2255. From 2262 on, the conversion to
// nanoseconds would overflow.
constexpr double kLatest = 9e9;
// Longer explanations are cut.
constexpr size_t kLongestReason = 300;
// Longer than names, images and command lines. They are copied many times.
constexpr size_t kLongestLabel = 16 * 1024;

simdjson::padded_string_view Padded(std::string& body) {
  body.reserve(body.size() + simdjson::SIMDJSON_PADDING);
  return simdjson::padded_string_view(body.data(), body.size(),
                                      body.capacity());
}

// "0.25", "1e+09". Absent for "NaN", "+Inf" and anything else.
std::optional<double> ReadValue(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || !std::isfinite(value)) return std::nullopt;
  return value;
}

WallTime ToWallTime(double seconds) {
  return WallTime(std::chrono::milliseconds(
      static_cast<int64_t>(std::llround(seconds * 1000))));
}

// [[1712345678.9, "0.25"], …]. Throws as the library does.
void ReadPoints(ondemand::array points, HistorySeries& series) {
  for (ondemand::array point : points) {
    double seconds = 0;
    std::string_view text;
    size_t parts = 0;
    for (ondemand::value part : point) {
      if (parts == 0) seconds = part.get_double();
      if (parts == 1) text = part.get_string();
      ++parts;
    }
    if (parts != 2) throw simdjson::simdjson_error(simdjson::INCORRECT_TYPE);
    auto value = ReadValue(text);
    if (!value || std::abs(seconds) > kLatest) continue;
    series.times.push_back(ToWallTime(seconds));
    series.values.push_back(*value);
  }
}

void ReadLabels(ondemand::object metric, HistorySeries& series) {
  for (auto field : metric) {
    std::string key(std::string_view(field.unescaped_key()));
    std::string_view label = field.value().get_string();
    if (label.size() > kLongestLabel) {
      throw simdjson::simdjson_error(simdjson::CAPACITY);
    }
    series.labels.insert_or_assign(std::move(key), std::string(label));
  }
}

HistorySet ReadMatrix(ondemand::array results) {
  HistorySet set;
  for (ondemand::object entry : results) {
    HistorySeries series;
    ReadLabels(entry["metric"], series);
    ReadPoints(entry["values"], series);
    if (!series.times.empty()) set.push_back(std::move(series));
  }
  return set;
}

}  // namespace

Result<HistorySet> ParseRangeAnswer(std::string& body) {
  try {
    ondemand::parser parser;
    ondemand::document answer = parser.iterate(Padded(body));
    std::string_view status = answer["status"];
    if (status != "success") return Corrupt("no successful response");
    ondemand::object data = answer["data"];
    std::string_view kind = data["resultType"];
    if (kind != "matrix") return Corrupt("no matrix of samples");
    HistorySet set = ReadMatrix(data["result"]);
    return set;
  } catch (const simdjson::simdjson_error& error) {
    return Corrupt(fmt::format("not a range of samples: {}", error.what()));
  }
}

std::string RejectionText(std::string& body) {
  try {
    ondemand::parser parser;
    ondemand::document answer = parser.iterate(Padded(body));
    std::string_view said = answer["error"];
    std::string reason(said.substr(0, kLongestReason));
    std::ranges::replace(reason, '\n', ' ');
    return reason;
  } catch (const simdjson::simdjson_error&) {
    return "";
  }
}

}  // namespace mete
