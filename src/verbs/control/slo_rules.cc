#include "control/slo_rules.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "net/url_login.h"
#include "support/parse_number.h"

namespace mete {
namespace {

std::optional<double> PlainNumber(const std::string& text) {
  auto value = ParseNumber<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

struct ActionText {
  std::string operator()(const LogAction&) const { return "log"; }
  std::string operator()(const WebhookAction& action) const {
    // The audit log is read by more people than the rules are.
    return "webhook " + RedactUrl(action.url);
  }
  std::string operator()(const LimitAction& action) const {
    return "limit " + action.target.Text();
  }
  std::string operator()(const PauseAction& action) const {
    return "pause " + action.target.Text();
  }
  std::string operator()(const ReplaceAction& action) const {
    return "replace " + action.app;
  }
};

}  // namespace

Result<Threshold> ParseThreshold(const std::string& text) {
  using Unit = Threshold::Unit;
  if (auto number = PlainNumber(text)) return Threshold{*number, Unit::kNumber};
  if (text.ends_with('%')) {
    auto ratio = ParseRatio(text);
    if (ratio.ok()) return Threshold{*ratio, Unit::kRatio};
  }
  // Checked before bytes: 5m is five minutes.
  auto duration = ParseDuration(text);
  if (duration.ok()) return Threshold{duration->count(), Unit::kSeconds};
  auto bytes = ParseBytes(text);
  if (bytes.ok()) {
    return Threshold{static_cast<double>(bytes->count), Unit::kBytes};
  }
  return InvalidInput(fmt::format(
      "'{}' is not a threshold; write it like 200ms, 90%, 80 or 512Mi", text));
}

std::string FormatThreshold(double value, Threshold::Unit unit) {
  switch (unit) {
    case Threshold::Unit::kSeconds:
      return value < 0 ? fmt::format("{:.3g} s", value) : FormatSeconds(value);
    case Threshold::Unit::kRatio:
      return fmt::format("{:.3g} %", value * 100);
    case Threshold::Unit::kBytes:
      if (value < 0) break;
      return FormatBytes(Bytes{static_cast<uint64_t>(value)});
    case Threshold::Unit::kNumber:
      break;
  }
  return fmt::format("{:.4g}", value);
}

bool SloObjective::ViolatedBy(double value) const {
  return side == ObjectiveSide::kBelow ? value >= bound.value
                                       : value <= bound.value;
}

bool SloObjective::ClearedBy(double value) const {
  if (ViolatedBy(value)) return false;
  return side == ObjectiveSide::kBelow ? value <= clear : value >= clear;
}

bool SloObjective::Worse(double one, double other) const {
  return side == ObjectiveSide::kBelow ? one > other : one < other;
}

std::string SloObjective::Text() const {
  return fmt::format("{} {}", side == ObjectiveSide::kBelow ? "<" : ">",
                     FormatThreshold(bound.value, bound.unit));
}

std::string FormatAction(const ControlAction& action) {
  return std::visit(ActionText(), action);
}

}  // namespace mete
