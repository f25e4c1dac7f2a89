// Objectives on live series and what to do when one is not met: the values of
// slo.yaml. docs/reference/control.md describes every key.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ports/actuator.h"
#include "support/result.h"
#include "support/units.h"

namespace mete {

// A number with the unit its writer had in mind, in which it is told again.
struct Threshold {
  enum class Unit { kNumber, kSeconds, kRatio, kBytes };
  double value = 0;
  Unit unit = Unit::kNumber;
};
// "200ms", "90%", "80", "-5.5", "512Mi". Fails with kInvalidInput.
Result<Threshold> ParseThreshold(const std::string& text);
std::string FormatThreshold(double value, Threshold::Unit unit);

// Which side of the bound is good.
enum class ObjectiveSide { kBelow, kAbove };

struct SloObjective {
  ObjectiveSide side = ObjectiveSide::kBelow;
  Threshold bound;
  double clear = 0;  // beyond this the objective is met for good

  bool ViolatedBy(double value) const;
  bool ClearedBy(double value) const;
  // Which of two values is further from being good.
  bool Worse(double one, double other) const;
  std::string Text() const;  // "< 200 ms"
};

// Only told, on stderr and in the audit log.
struct LogAction {};
// Posted as JSON.
struct WebhookAction {
  std::string url;
};
// Asks somebody who places applications to find a better place.
struct ReplaceAction {
  std::string url;
  std::string app;
};
// Lowers a limit: to `to`, then by `step` while that is not enough.
struct LimitAction {
  ControlTarget target;
  ControlKnob knob = ControlKnob::kCpus;  // or kMemory
  std::optional<double> to;               // absent: `step` of what there is
  std::optional<double> step;             // a factor below 1; absent: one step
  double at_least = 0;
};
struct PauseAction {
  ControlTarget target;
};
using ControlAction = std::variant<LogAction, WebhookAction, LimitAction,
                                   PauseAction, ReplaceAction>;
// "limit process hog"
std::string FormatAction(const ControlAction& action);

struct SloRule {
  std::string name;
  std::string series;      // a selector, or PromQL
  std::string divided_by;  // empty: by nothing
  SloObjective objective;
  Seconds violated_for{3};             // before the first act
  Seconds clear_for{30};               // before everything is given back
  Seconds cool_down{10};               // between two acts
  std::vector<ControlAction> actions;  // at least one
};

struct SloRules {
  Seconds every{1};
  Seconds stale_after{10};
  uint64_t acts_per_minute = 12;  // of all rules together
  std::vector<std::string> agents;
  std::string prometheus;  // either this or agents
  std::vector<SloRule> rules;
};

}  // namespace mete
