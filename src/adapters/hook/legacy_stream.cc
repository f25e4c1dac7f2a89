#include "adapters/hook/legacy_stream.h"

#include <fmt/format.h>

#include <cmath>

#include "support/json.h"
#include "support/units.h"

namespace mete {
namespace {

constexpr std::string_view kBlankLine = "\n\n";
constexpr Seconds kOldest{3600};

Result<LegacyValue> ReadMember(const std::string& name, const Json& member) {
  const bool has_value = member.is_object() && member.contains("value") &&
                         member.at("value").is_number();
  if (!has_value) {
    return Corrupt(fmt::format("'{}' is not {{\"value\": <number>}}", name));
  }
  LegacyValue value{.name = name, .value = member.at("value").get<double>()};
  if (member.contains("timestamp") && member.at("timestamp").is_number()) {
    value.timestamp = member.at("timestamp").get<double>();
  }
  return value;
}

}  // namespace

Result<std::vector<LegacyValue>> ParseLegacyMessage(std::string_view text) {
  ASSIGN_OR_RETURN(Json json, ParseJson(text));
  if (!json.is_object()) return Corrupt("not a JSON object");
  std::vector<LegacyValue> values;
  for (const auto& item : json.items()) {
    ASSIGN_OR_RETURN(LegacyValue value, ReadMember(item.key(), item.value()));
    values.push_back(std::move(value));
  }
  return values;
}

std::vector<std::string> LegacySplitter::Feed(std::string_view bytes) {
  std::vector<std::string> messages;
  // A blank line may be split between two reads, so start one byte earlier.
  size_t from = rest_.empty() ? 0 : rest_.size() - 1;
  rest_.append(bytes);
  size_t start = 0;
  for (size_t end = rest_.find(kBlankLine, from); end != std::string::npos;
       end = rest_.find(kBlankLine, start)) {
    const size_t size = end - start;
    if (!discarding_ && size > kMostBytes) ++oversized_;
    if (!discarding_ && size > 0 && size <= kMostBytes) {
      messages.push_back(rest_.substr(start, size));
    }
    discarding_ = false;
    start = end + kBlankLine.size();
  }
  rest_.erase(0, start);
  if (rest_.size() > kMostBytes + 1) {
    if (!discarding_) ++oversized_;
    discarding_ = true;
    rest_.erase(0, rest_.size() - 1);
  }
  return messages;
}

AppEvent ToEvent(const LegacyValue& value, const TwoClocks& now) {
  Seconds age{0};
  if (value.timestamp) {
    age = now.wall.time_since_epoch() - Seconds(*value.timestamp);
  }
  // Written so that NaN is rejected too.
  if (!(age >= Seconds(0) && age <= kOldest)) age = Seconds(0);
  return {.name = value.name,
          .kind = AppMetricKind::kNumber,
          .value = value.value,
          .at = now.monotonic -
                std::chrono::duration_cast<std::chrono::nanoseconds>(age)};
}

}  // namespace mete
