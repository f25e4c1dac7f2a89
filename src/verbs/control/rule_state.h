// Where a rule stands between its objective and its acts. Pure: readings and
// times go in, wishes come out.
//
//            violated            for `for`, cooled down
//   within ───────────► violating ───────────────────► acted ◄──┐ a step more,
//     ▲  ▲                 │                            │ ▲  └──┘ cooled down
//     │  └─── not any more ┘               beyond clear │ │ not any more
//     └──────────────── for `clear_for` ── recovering ◄─┘─┘
#pragma once

#include <chrono>
#include <deque>
#include <optional>
#include <string_view>

#include "control/slo_rules.h"

namespace mete {

enum class RulePhase { kWithin, kViolating, kActed, kRecovering };
std::string_view ToString(RulePhase phase);

// The readings since the phase began, as evidence.
struct Stretch {
  std::chrono::nanoseconds since{0};
  size_t readings = 0;
  double least = 0;
  double most = 0;
};

class RuleState {
 public:
  enum class Wish { kNothing, kAct, kRestore };

  // Borrows the rule.
  explicit RuleState(const SloRule& rule) : rule_(rule) {}

  // One reading: the worst of the rule's series, absent when there is none.
  // Without one nothing changes, and what has to last begins anew. A reading
  // is incomplete while a source is silent: it cannot clear then, since the
  // worst may be what is not seen.
  Wish Take(std::optional<double> worst, bool complete,
            std::chrono::nanoseconds now);
  // The wish was granted; otherwise it comes again. `more` says that a further
  // act could do more.
  void Acted(bool more, std::chrono::nanoseconds now);
  void Restored(std::chrono::nanoseconds now);
  // What Acted said has changed: a target was started anew.
  void CanDoMore(bool more) { more_ = more; }

  RulePhase phase() const { return phase_; }
  const Stretch& stretch() const { return stretch_; }
  // What `clear_for` has become: doubled, up to eight times, whenever a
  // violation followed soon after everything had been given back.
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
  std::optional<std::chrono::nanoseconds> last_change_;  // acted or gave back
  std::optional<std::chrono::nanoseconds> gave_back_;
};

// How many acts all rules together may still make: a sliding minute.
class ActBudget {
 public:
  explicit ActBudget(uint64_t per_minute) : per_minute_(per_minute) {}
  // Takes one, unless there is none left.
  bool Take(std::chrono::nanoseconds now);

 private:
  uint64_t per_minute_;
  std::deque<std::chrono::nanoseconds> taken_;
};

}  // namespace mete
