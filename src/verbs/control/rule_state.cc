#include "control/rule_state.h"

#include <algorithm>

namespace mete {

using std::chrono::nanoseconds;

std::string_view ToString(RulePhase phase) {
  switch (phase) {
    case RulePhase::kWithin:
      return "within";
    case RulePhase::kViolating:
      return "violating";
    case RulePhase::kActed:
      return "acted";
    case RulePhase::kRecovering:
      return "recovering";
  }
  return "";
}

void RuleState::Enter(RulePhase phase, nanoseconds now) {
  phase_ = phase;
  stretch_ = {.since = now};
}

void RuleState::Note(double value, nanoseconds now) {
  if (stretch_.readings == 0) {
    stretch_ = {.since = now, .least = value, .most = value};
  }
  ++stretch_.readings;
  stretch_.least = std::min(stretch_.least, value);
  stretch_.most = std::max(stretch_.most, value);
}

bool RuleState::Cooled(nanoseconds now) const {
  return !last_change_ || now - *last_change_ >= rule_.cool_down;
}

RuleState::Wish RuleState::Take(std::optional<double> worst, bool complete,
                                nanoseconds now) {
  if (!worst) {
    stretch_.readings = 0;
    return Wish::kNothing;
  }
  const bool violated = rule_.objective.ViolatedBy(*worst);
  const bool cleared = complete && rule_.objective.ClearedBy(*worst);
  if (phase_ == RulePhase::kWithin && violated) {
    Enter(RulePhase::kViolating, now);
  } else if (phase_ == RulePhase::kViolating && !violated) {
    Enter(RulePhase::kWithin, now);
  } else if (phase_ == RulePhase::kActed && cleared) {
    Enter(RulePhase::kRecovering, now);
  } else if (phase_ == RulePhase::kRecovering && !cleared) {
    Enter(RulePhase::kActed, now);
  }
  Note(*worst, now);
  return Decide(*worst, now);
}

RuleState::Wish RuleState::Decide(double worst, nanoseconds now) const {
  const nanoseconds lasted = now - stretch_.since;
  switch (phase_) {
    case RulePhase::kWithin:
      break;
    case RulePhase::kViolating:
      if (lasted >= rule_.violated_for && Cooled(now)) return Wish::kAct;
      break;
    case RulePhase::kActed:
      if (more_ && rule_.objective.ViolatedBy(worst) && Cooled(now)) {
        return Wish::kAct;
      }
      break;
    case RulePhase::kRecovering:
      if (lasted >= clear_for()) return Wish::kRestore;
      break;
  }
  return Wish::kNothing;
}

void RuleState::Acted(bool more, nanoseconds now) {
  constexpr int kMostPatience = 8;
  if (phase_ == RulePhase::kViolating) {
    // Wait longer, otherwise the rule would oscillate: restoring the limits
    // caused the new violation.
    bool soon =
        gave_back_ &&
        now - *gave_back_ <= clear_for() + rule_.violated_for + rule_.cool_down;
    patience_ = soon ? std::min(2 * patience_, kMostPatience) : 1;
    Enter(RulePhase::kActed, now);
  }
  more_ = more;
  last_change_ = now;
}

void RuleState::Restored(nanoseconds now) {
  Enter(RulePhase::kWithin, now);
  more_ = false;
  last_change_ = gave_back_ = now;
}

bool ActBudget::Take(nanoseconds now) {
  while (!taken_.empty() && now - taken_.front() >= std::chrono::minutes(1)) {
    taken_.pop_front();
  }
  if (taken_.size() >= per_minute_) return false;
  taken_.push_back(now);
  return true;
}

}  // namespace mete
