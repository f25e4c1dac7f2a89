// Limits that the controller has changed and will restore. Each knob is held
// once, however many rules want it lower, and is recorded in a file before it
// is changed.
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

// A change of one knob that a rule requests.
struct ChangeRequest {
  std::string rule;
  ControlTarget target;
  ControlKnob knob = ControlKnob::kCpus;
  std::optional<double> to;    // absent: `step` times the current value
  std::optional<double> step;  // factor on this rule's last request
  double at_least = 0;
};

// The outcome of a request. Absent values mean no limit.
struct ChangeResult {
  ControlTarget target;
  ControlKnob knob = ControlKnob::kCpus;
  std::optional<double> before;
  std::optional<double> after;
  Status status;
  std::string remark;  // "changed by somebody else …: left alone"
};

// One knob that the controller has set.
struct HeldChange {
  LimitHandle handle;
  std::optional<double> before;
  std::optional<double> set;
  // The value before `set`. The controller may have been killed after recording
  // this change and before making it.
  std::optional<double> earlier;
  std::map<std::string, double> claims;  // by rule; the lowest applies
  std::string trouble{};  // why it could not be restored; not saved
};
Json HeldChangesToJson(const std::vector<HeldChange>& changes);
Result<std::vector<HeldChange>> HeldChangesFromJson(const Json& json);

// Changes knobs and restores them. Use it from one thread.
class HeldChanges {
 public:
  // Options of HeldChanges.
  struct Settings {
    std::filesystem::path file;
    bool dry_run = true;  // reads, but changes and writes nothing
    double cores = 1;     // the value of an absent CPU limit
  };
  HeldChanges(Settings settings, Actuator& actuator)
      : settings_(std::move(settings)), actuator_(actuator) {}

  // Lowers a limit, or pauses the target. Never raises a limit.
  ChangeResult Tighten(const ChangeRequest& request);
  // Whether another Tighten would go lower, or would find a target that was
  // restarted.
  bool CanTighten(const ChangeRequest& request);
  // Restores the knobs that only this rule holds, unless someone else has
  // changed them since. Knobs that cannot be restored stay in the file.
  std::vector<ChangeResult> Restore(const std::string& rule);
  // Does the same for all rules.
  std::vector<ChangeResult> RestoreAll();
  // Retries what could not be restored. Returns only news: successes, and
  // failures for a new reason.
  std::vector<ChangeResult> RestoreLeftovers();
  // Leaves all changes in place and forgets them.
  Status Forget();
  // Takes over the changes that a killed controller left. A dry run only reads
  // them. Returns the number of changes.
  Result<size_t> Load();

 private:
  using Changes = std::vector<HeldChange>;
  // A held change, and whether this request created it.
  struct Held {
    HeldChange* change;
    bool made;  // created just now; otherwise it was held before
  };
  HeldChange* Find(const ControlTarget& target, ControlKnob knob);
  Result<Held> FindOrHold(const ChangeRequest& request);
  void Adopt(HeldChange& change);
  void TakeBack(const Held& held, const HeldChange& old);
  Result<double> RequestedValue(const ChangeRequest& request,
                                const HeldChange& change) const;
  Status Apply(HeldChange& change);
  ChangeResult Loosen(HeldChange& change);
  // Forgets the change if nothing is left to restore.
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
