// What the controller has changed and gives back: each knob once, however many
// rules want it lower, and written down before anything is touched.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ports/actuator.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

std::string_view ToString(ControlKnob knob);

// What a rule wants of a knob.
struct ChangeRequest {
  std::string rule;
  ControlTarget target;
  ControlKnob knob = ControlKnob::kCpus;
  std::optional<double> to;    // absent: `step` of what there is
  std::optional<double> step;  // of what this rule last asked for
  double at_least = 0;
};

// What became of it. Absent values are no limit.
struct ChangeResult {
  ControlTarget target;
  ControlKnob knob = ControlKnob::kCpus;
  std::optional<double> before;
  std::optional<double> after;
  Status status;
  std::string remark;  // "changed by somebody else …: left alone"
};

// One knob that stands where the controller put it.
struct HeldChange {
  LimitHandle handle;
  std::optional<double> before;
  std::optional<double> set;
  // What stood there before `set`: a kill may have come between writing this
  // down and the act.
  std::optional<double> earlier;
  std::map<std::string, double> claims;  // by rule; the lowest counts
  std::string trouble{};  // why it could not be given back; not written down
};
Json HeldChangesToJson(const std::vector<HeldChange>& changes);
Result<std::vector<HeldChange>> HeldChangesFromJson(const Json& json);

// From one thread.
class HeldChanges {
 public:
  struct Settings {
    std::filesystem::path file;
    bool dry_run = true;  // looks, but neither changes nor writes anything
    double cores = 1;     // what no limit of CPUs amounts to
  };
  HeldChanges(Settings settings, Actuator& actuator)
      : settings_(std::move(settings)), actuator_(actuator) {}

  // Never raises a limit.
  ChangeResult Tighten(const ChangeRequest& request);
  // Whether another Tighten would go lower, or find a target that was started
  // anew.
  bool CanTighten(const ChangeRequest& request);
  // What only this rule held gets its old value, unless somebody else has
  // changed it meanwhile. What cannot be given back stays written down.
  std::vector<ChangeResult> Restore(const std::string& rule);
  std::vector<ChangeResult> RestoreAll();
  // Tries again what could not be given back. Returns only what is news: what
  // succeeded, and what failed for another reason than before.
  std::vector<ChangeResult> RestoreLeftovers();
  // Leaves everything as it is, for good.
  Status Forget();
  // Takes over what a controller left that was killed. A dry run only looks.
  // Returns how many changes there are.
  Result<size_t> Load();

 private:
  using Changes = std::vector<HeldChange>;
  // A change to work on.
  struct Held {
    HeldChange* change;
    bool made;  // just now; else it was held before
  };
  HeldChange* Find(const ControlTarget& target, ControlKnob knob);
  Result<Held> FindOrHold(const ChangeRequest& request);
  void Adopt(HeldChange& change);
  void TakeBack(const Held& held, const HeldChange& old);
  Result<double> RequestedValue(const ChangeRequest& request,
                                const HeldChange& change) const;
  Status Apply(HeldChange& change);
  ChangeResult Loosen(HeldChange& change);
  // Forgets the change when that left nothing to give back.
  ChangeResult LoosenAt(size_t index);
  void Restore(HeldChange& change, ChangeResult& result);
  Status Release(HeldChange& change);
  std::vector<ChangeResult> Saved(std::vector<ChangeResult> results) const;
  Status Save() const;

  Settings settings_;
  Actuator& actuator_;
  Changes changes_;
};

}  // namespace mete
