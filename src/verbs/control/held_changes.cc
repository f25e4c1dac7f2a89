#include "control/held_changes.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>

#include "support/file.h"
#include "support/json.h"

namespace mete {
namespace {

// The kernel rounds memory to pages, and quotas to microseconds per period. A
// period is at least a millisecond, so rounding is at most 0.0005 CPUs.
bool Same(ControlKnob knob, std::optional<double> one,
          std::optional<double> other) {
  if (!one || !other) return one.has_value() == other.has_value();
  double grain = knob == ControlKnob::kMemory ? 65536 : 6e-4;
  return std::abs(*one - *other) <= grain;
}

double Lowest(const std::map<std::string, double>& claims) {
  double lowest = claims.begin()->second;
  for (const auto& [rule, value] : claims) lowest = std::min(lowest, value);
  return lowest;
}

bool IsOurs(const HeldChange& change, std::optional<double> now) {
  return Same(change.handle.knob, now, change.set) ||
         Same(change.handle.knob, now, change.earlier);
}

constexpr const char* kForeign = "was changed by somebody else; left alone";

// Pausing goes up from 0 to 1; all other knobs go down.
bool Tighter(ControlKnob knob, double requested, std::optional<double> now) {
  if (knob == ControlKnob::kPause) return now.value_or(0) < requested;
  return !now || requested < *now;
}

}  // namespace

HeldChange* HeldChanges::Find(const ControlTarget& target, ControlKnob knob) {
  auto found = std::ranges::find_if(changes_, [&](const HeldChange& change) {
    return change.handle.target == target && change.handle.knob == knob;
  });
  return found == changes_.end() ? nullptr : &*found;
}

Result<double> HeldChanges::RequestedValue(const ChangeRequest& request,
                                           const HeldChange& change) const {
  auto claim = change.claims.find(request.rule);
  double requested = request.to.value_or(0);
  if (claim != change.claims.end() && request.step) {
    requested = claim->second * *request.step;
  } else if (!request.to) {
    if (!change.set && request.knob != ControlKnob::kCpus) {
      return InvalidInput("there is no limit to apply the step to");
    }
    requested = change.set.value_or(settings_.cores) * request.step.value_or(1);
  }
  return std::max(requested, request.at_least);
}

bool HeldChanges::CanTighten(const ChangeRequest& request) {
  const HeldChange* change = Find(request.target, request.knob);
  if (change == nullptr || !change->claims.contains(request.rule)) return true;
  if (actuator_.HasEnded(change->handle)) return true;
  return request.step && change->claims.at(request.rule) > request.at_least;
}

// Saves the change first, so that the next controller can undo it after a kill.
Status HeldChanges::Apply(HeldChange& change) {
  std::optional<double> value = Lowest(change.claims);
  if (change.handle.knob != ControlKnob::kPause && change.before) {
    value = std::min(*value, *change.before);
  }
  change.earlier = change.set;
  change.set = value;
  if (settings_.dry_run) return {};
  RETURN_IF_ERROR(Save());
  RETURN_IF_ERROR(actuator_.Write(change.handle, value));
  change.handle.members.clear();  // their cgroup exists now
  return {};
}

Result<HeldChanges::Held> HeldChanges::FindOrHold(
    const ChangeRequest& request) {
  HeldChange* change = Find(request.target, request.knob);
  if (change != nullptr && !actuator_.HasEnded(change->handle)) {
    return Held{.change = change, .made = false};
  }
  HeldChange made;
  ASSIGN_OR_RETURN(made.handle, actuator_.Find(request.target, request.knob));
  // The target was restarted, perhaps in the same cgroup. The value we set
  // there must not be mistaken for the original one.
  if (change != nullptr && !settings_.dry_run) {
    ChangeResult given;
    Restore(*change, given);
    RETURN_IF_ERROR(given.status);
  }
  ASSIGN_OR_RETURN(made.before, actuator_.Read(made.handle));
  made.set = made.earlier = made.before;
  if (change == nullptr) change = &changes_.emplace_back(HeldChange{});
  *change = std::move(made);
  return Held{.change = change, .made = true};
}

// A value that someone else has set becomes the original value: limits are
// lowered from it and restored to it.
void HeldChanges::Adopt(HeldChange& change) {
  if (settings_.dry_run) return;
  auto now = actuator_.Read(change.handle);
  if (!now.ok() || IsOurs(change, *now)) return;
  change.before = change.set = change.earlier = *now;
}

// Reverts to the state before an action that failed.
void HeldChanges::TakeBack(const Held& held, const HeldChange& old) {
  *held.change = old;
  if (held.made) {
    held.change->handle.members.clear();
    if (settings_.dry_run || Release(*held.change).ok()) {
      changes_.erase(changes_.begin() + (held.change - changes_.data()));
    }
  }
  if (!settings_.dry_run) static_cast<void>(Save().ok());
}

ChangeResult HeldChanges::Tighten(const ChangeRequest& request) {
  ChangeResult result{.target = request.target, .knob = request.knob};
  auto found = FindOrHold(request);
  if (!found.ok()) {
    result.status = found.error();
    return result;
  }
  HeldChange& change = *found->change;
  Adopt(change);
  const HeldChange old = change;
  result.before = result.after = change.set;
  auto requested = RequestedValue(request, change);
  if (!requested.ok()) {
    result.status = requested.error();
    TakeBack(*found, old);
    return result;
  }
  change.claims[request.rule] = *requested;
  if (!Tighter(request.knob, *requested, change.set)) {
    result.remark = "is already at this value";
    return result;
  }
  result.status = Apply(change);
  result.after = change.set;
  if (!result.status.ok()) {
    result.after = result.before;
    TakeBack(*found, old);
  }
  return result;
}

// A cgroup that was created for one knob may hold another one by now. It is
// removed with the last of them.
Status HeldChanges::Release(HeldChange& change) {
  auto other = std::ranges::find_if(changes_, [&](const HeldChange& held) {
    return &held != &change && held.handle.place == change.handle.place;
  });
  if (other == changes_.end()) return actuator_.Release(change.handle);
  if (other->handle.home.empty()) other->handle.home = change.handle.home;
  change.handle.home.clear();
  return {};
}

void HeldChanges::Restore(HeldChange& change, ChangeResult& result) {
  const ControlKnob knob = change.handle.knob;
  auto now = actuator_.Read(change.handle);
  if (!now.ok() && now.error().code() == ErrorCode::kNotFound) {
    result.remark = "has ended; nothing to restore";
    result.status = Release(change);
    return;
  }
  if (!now.ok()) {
    result.status = now.error();
    return;
  }
  result.before = *now;
  if (Same(knob, *now, change.before)) {
    result.remark = "already had its old value";
  } else if (!IsOurs(change, *now)) {
    result.after = *now;
    result.remark = kForeign;
    // Remove a cgroup we created if no process is left in it.
    if (actuator_.HasEnded(change.handle)) result.status = Release(change);
    return;
  } else {
    result.status = actuator_.Write(change.handle, change.before);
  }
  if (result.status.ok()) result.status = Release(change);
}

ChangeResult HeldChanges::Loosen(HeldChange& change) {
  ChangeResult result{.target = change.handle.target,
                      .knob = change.handle.knob,
                      .before = change.set,
                      .after = change.before};
  if (!change.claims.empty()) {
    result.remark = "other rules still hold it";
    auto now = actuator_.Read(change.handle);
    if (!settings_.dry_run && now.ok() && !IsOurs(change, *now)) {
      result.remark = kForeign;
      result.after = *now;
      return result;
    }
    if (!Same(change.handle.knob, Lowest(change.claims), change.set)) {
      result.status = Apply(change);
    }
    result.after = change.set;
  } else if (!settings_.dry_run) {
    Restore(change, result);
  }
  return result;
}

ChangeResult HeldChanges::LoosenAt(size_t index) {
  HeldChange& change = changes_[index];
  ChangeResult result = Loosen(change);
  if (!result.status.ok()) {
    change.trouble = result.status.error().message();
  } else if (change.claims.empty()) {
    changes_.erase(changes_.begin() + static_cast<ptrdiff_t>(index));
  }
  return result;
}

std::vector<ChangeResult> HeldChanges::Saved(
    std::vector<ChangeResult> results) const {
  if (settings_.dry_run || results.empty()) return results;
  Status saved = Save();
  if (!saved.ok()) results.back().remark = saved.error().message();
  return results;
}

// In reverse order: a cgroup created for one knob may hold another.
std::vector<ChangeResult> HeldChanges::Restore(const std::string& rule) {
  std::vector<ChangeResult> results;
  for (size_t i = changes_.size(); i-- > 0;) {
    if (changes_[i].claims.erase(rule) > 0) results.push_back(LoosenAt(i));
  }
  return Saved(std::move(results));
}

std::vector<ChangeResult> HeldChanges::RestoreAll() {
  std::vector<ChangeResult> results;
  for (size_t i = changes_.size(); i-- > 0;) {
    changes_[i].claims.clear();
    results.push_back(LoosenAt(i));
  }
  return Saved(std::move(results));
}

std::vector<ChangeResult> HeldChanges::RestoreLeftovers() {
  std::vector<ChangeResult> results;
  for (size_t i = changes_.size(); i-- > 0;) {
    if (!changes_[i].claims.empty()) continue;
    const std::string previous_trouble = changes_[i].trouble;
    ChangeResult result = LoosenAt(i);
    const bool news = result.status.ok() ||
                      result.status.error().message() != previous_trouble;
    if (news) results.push_back(std::move(result));
  }
  return Saved(std::move(results));
}

Status HeldChanges::Forget() {
  changes_.clear();
  return settings_.dry_run ? Status() : Save();
}

Status HeldChanges::Save() const {
  if (!changes_.empty()) {
    return WriteFileAtomically(settings_.file,
                               DumpJson(HeldChangesToJson(changes_)) + "\n");
  }
  if (unlink(settings_.file.c_str()) == 0 || errno == ENOENT) return {};
  return SystemError("remove " + settings_.file.string(), errno);
}

Result<size_t> HeldChanges::Load() {
  auto text = ReadFile(settings_.file);
  if (!text.ok()) {
    if (text.error().code() == ErrorCode::kNotFound) return size_t{0};
    return text.error();
  }
  auto json = ParseJson(*text);
  if (!json.ok()) return json.error().While(settings_.file.string());
  ASSIGN_OR_RETURN(Changes left, HeldChangesFromJson(*json));
  const size_t count = left.size();
  if (!settings_.dry_run) changes_ = std::move(left);
  return count;
}

}  // namespace mete
