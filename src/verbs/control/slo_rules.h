// Objectives on live series and the actions to take when one is violated, as
// described in slo.yaml. docs/reference/control.md documents every key.
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

// A number and the unit it was written in, which is also used to print it.
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

// A bound that a series must stay below or above.
struct SloObjective {
  ObjectiveSide side = ObjectiveSide::kBelow;
  Threshold bound;
  double clear = 0;  // the objective is cleared beyond this value

  bool ViolatedBy(double value) const;
  bool ClearedBy(double value) const;
  // Whether `one` is further from the objective than `other`.
  bool Worse(double one, double other) const;
  std::string Text() const;  // "< 200 ms"
};

// Reports the violation on stderr and in the audit log, nothing else.
struct LogAction {};
// Posts the decision as JSON.
struct WebhookAction {
  std::string url;
};
// Asks a placement service to move an application to a better device.
struct ReplaceAction {
  std::string url;
  std::string app;
};
// Lowers a limit to `to`, then by `step` while that is not enough.
struct LimitAction {
  ControlTarget target;
  ControlKnob knob = ControlKnob::kCpus;  // or kMemory
  std::optional<double> to;    // absent: `step` times the current value
  std::optional<double> step;  // a factor below 1; absent: one step
  double at_least = 0;
};
// Freezes the target.
struct PauseAction {
  ControlTarget target;
};
// Any action of a rule.
using ControlAction = std::variant<LogAction, WebhookAction, LimitAction,
                                   PauseAction, ReplaceAction>;
// "limit process hog"
std::string FormatAction(const ControlAction& action);

// One objective with its timing and its actions.
struct SloRule {
  std::string name;
  std::string series;      // a selector, or PromQL
  std::string divided_by;  // empty: not divided
  SloObjective objective;
  Seconds violated_for{3};             // before the first action
  Seconds clear_for{30};               // before everything is restored
  Seconds cool_down{10};               // between two actions
  std::vector<ControlAction> actions;  // at least one
};

// The content of slo.yaml.
struct SloRules {
  Seconds every{1};
  Seconds stale_after{10};
  uint64_t acts_per_minute = 12;  // for all rules together
  std::vector<std::string> agents;
  std::string prometheus;  // set either this or `agents`
  std::vector<SloRule> rules;
};

}  // namespace mete
