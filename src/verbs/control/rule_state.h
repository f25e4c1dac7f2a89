// The state machine of a rule. Pure: it takes readings and times and returns
// wishes.
//
//            violated            for `for`, cooled down
//   within ───────────► violating ───────────────────► acted ◄──┐ next step,
//     ▲  ▲                 │                            │ ▲  └──┘ cooled down
//     │  └──── no longer ──┘               beyond clear │ │ no longer
//     └──────────────── for `clear_for` ── recovering ◄─┘─┘
#pragma once

#include <chrono>
#include <deque>
#include <optional>
#include <string_view>

#include "control/slo_rules.h"

namespace mete {

// The phase a rule is in; see the diagram above.
enum class RulePhase { kWithin, kViolating, kActed, kRecovering };
std::string_view ToString(RulePhase phase);

// The readings since the phase began, as evidence.
struct Stretch {
  std::chrono::nanoseconds since{0};
  size_t readings = 0;
  double least = 0;
  double most = 0;
};

// The state machine of one rule.
class RuleState {
 public:
  // What the rule asks the control loop to do.
  enum class Wish { kNothing, kAct, kRestore };

  // Borrows the rule.
  explicit RuleState(const SloRule& rule) : rule_(rule) {}

  // Takes one reading: the worst value of the rule's series, absent when there
  // is none. Without a reading the phase stays the same and its timer restarts.
  // A reading is incomplete while a source does not answer. An incomplete
  // reading cannot clear a violation, because the worst value may be missing.
  Wish Take(std::optional<double> worst, bool complete,
            std::chrono::nanoseconds now);
  // Confirms that the wish was carried out; otherwise it is repeated. `more`
  // says that another action could have further effect.
  void Acted(bool more, std::chrono::nanoseconds now);
  void Restored(std::chrono::nanoseconds now);
  // Updates `more` of Acted, when a target was restarted.
  void CanDoMore(bool more) { more_ = more; }

  RulePhase phase() const { return phase_; }
  const Stretch& stretch() const { return stretch_; }
  // The current `clear_for`. It doubles, up to eight times the configured
  // value, whenever a violation follows soon after everything was restored.
  Seconds clear_for() const { return rule_.clear_for * patience_; }

 private:
  void Enter(RulePhase phase, std::chrono::nanoseconds now);
  void Note(double value, std::chrono::nanoseconds now);
  Wish Decide(double worst, std::chrono::nanoseconds now) const;
  bool Cooled(std::chrono::nanoseconds now) const;

  const SloRule& rule_;
  RulePhase phase_ = RulePhase::kWithin;
  Stretch stretch_;
  bool more_ = false;
  int patience_ = 1;
  // last action or restore
  std::optional<std::chrono::nanoseconds> last_change_;
  std::optional<std::chrono::nanoseconds> gave_back_;
};

// Limits the number of actions of all rules in a sliding minute.
class ActBudget {
 public:
  explicit ActBudget(uint64_t per_minute) : per_minute_(per_minute) {}
  // Takes one action from the budget. False when none is left.
  bool Take(std::chrono::nanoseconds now);

 private:
  uint64_t per_minute_;
  std::deque<std::chrono::nanoseconds> taken_;
};

}  // namespace mete
