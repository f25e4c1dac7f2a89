#include "control/held_changes.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>

#include "support/file.h"

namespace mete {
namespace {

// The kernel keeps quotas in microseconds and memory in pages.
bool Same(ControlKnob knob, std::optional<double> one,
          std::optional<double> other) {
  if (!one || !other) return one.has_value() == other.has_value();
  double grain = knob == ControlKnob::kMemory ? 65536 : 1e-4;
  return std::abs(*one - *other) <= grain;
}

double Lowest(const std::map<std::string, double>& claims) {
  double lowest = claims.begin()->second;
  for (const auto& [rule, value] : claims) lowest = std::min(lowest, value);
  return lowest;
}

bool IsOurs(const HeldChange& change, std::optional<double> now) {
  return Same(change.hold.knob, now, change.set) ||
         Same(change.hold.knob, now, change.earlier);
}

constexpr const char* kForeign = "was changed by somebody else; left alone";

// To pause is to go up from 0 to 1; everything else goes down.
bool Tighter(ControlKnob knob, double wanted, std::optional<double> now) {
  if (knob == ControlKnob::kPause) return now.value_or(0) < wanted;
  return !now || wanted < *now;
}

}  // namespace

HeldChange* HeldChanges::Find(const ControlTarget& target, ControlKnob knob) {
  auto found = std::ranges::find_if(changes_, [&](const HeldChange& change) {
    return change.hold.target == target && change.hold.knob == knob;
  });
  return found == changes_.end() ? nullptr : &*found;
}

Result<HeldChange> HeldChanges::Hold(const ChangeRequest& request) {
  HeldChange change;
  ASSIGN_OR_RETURN(change.hold, actuator_.Find(request.target, request.knob));
  ASSIGN_OR_RETURN(change.before, actuator_.Read(change.hold));
  change.set = change.earlier = change.before;
  return change;
}

Result<double> HeldChanges::Wanted(const ChangeRequest& request,
                                   const HeldChange& change) const {
  auto claim = change.claims.find(request.rule);
  double wanted = request.to.value_or(0);
  if (claim != change.claims.end() && request.step) {
    wanted = claim->second * *request.step;
  } else if (!request.to) {
    if (!change.set && request.knob != ControlKnob::kCpus) {
      return InvalidInput("there is no limit to take a step from");
    }
    wanted = change.set.value_or(settings_.cores) * request.step.value_or(1);
  }
  return std::max(wanted, request.at_least);
}

bool HeldChanges::CanTighten(const ChangeRequest& request) {
  const HeldChange* change = Find(request.target, request.knob);
  if (change == nullptr || !change->claims.contains(request.rule)) return true;
  if (IsGone(*change)) return true;
  return request.step && change->claims.at(request.rule) > request.at_least;
}

// Ended, and perhaps started anew: that one is another.
bool HeldChanges::IsGone(const HeldChange& change) {
  auto now = actuator_.Read(change.hold);
  return !now.ok() && now.error().code() == ErrorCode::kNotFound;
}

// Written down first: after a kill the next controller knows what to undo.
Status HeldChanges::Apply(HeldChange& change) {
  std::optional<double> value = Lowest(change.claims);
  if (change.hold.knob != ControlKnob::kPause && change.before) {
    value = std::min(*value, *change.before);
  }
  change.earlier = change.set;
  change.set = value;
  if (settings_.dry_run) return {};
  RETURN_IF_ERROR(Save());
  RETURN_IF_ERROR(actuator_.Write(change.hold, value));
  change.hold.members.clear();  // their place is made
  return {};
}

Result<HeldChange*> HeldChanges::FindOrHold(const ChangeRequest& request) {
  HeldChange* change = Find(request.target, request.knob);
  if (change != nullptr && !IsGone(*change)) return change;
  ASSIGN_OR_RETURN(HeldChange made, Hold(request));
  if (change != nullptr) {
    static_cast<void>(actuator_.Release(change->hold).ok());
    *change = std::move(made);
    return change;
  }
  changes_.push_back(std::move(made));
  return &changes_.back();
}

// What somebody else has set meanwhile is the new old value: limits go down
// from there, and return to there.
void HeldChanges::Adopt(HeldChange& change) {
  if (settings_.dry_run) return;
  auto now = actuator_.Read(change.hold);
  if (!now.ok() || IsOurs(change, *now)) return;
  change.before = change.set = change.earlier = *now;
}

// As it was before an act that failed.
void HeldChanges::TakeBack(HeldChange& change, const HeldChange& old) {
  change = old;
  if (change.claims.empty()) {
    static_cast<void>(actuator_.Release(change.hold).ok());
    std::erase_if(changes_,
                  [](const HeldChange& held) { return held.claims.empty(); });
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
  HeldChange& change = **found;
  Adopt(change);
  const HeldChange old = change;
  result.before = result.after = change.set;
  auto wanted = Wanted(request, change);
  if (!wanted.ok()) {
    result.status = wanted.error();
    TakeBack(change, old);
    return result;
  }
  change.claims[request.rule] = *wanted;
  if (!Tighter(request.knob, *wanted, change.set)) {
    result.remark = "is there already";
    return result;
  }
  result.status = Apply(change);
  result.after = change.set;
  if (!result.status.ok()) {
    result.after = result.before;
    TakeBack(change, old);
  }
  return result;
}

void HeldChanges::Restore(HeldChange& change, ChangeResult& result) {
  const ControlKnob knob = change.hold.knob;
  auto now = actuator_.Read(change.hold);
  if (!now.ok() && now.error().code() == ErrorCode::kNotFound) {
    result.remark = "has ended; nothing to give back";
    result.status = actuator_.Release(change.hold);
    return;
  }
  if (!now.ok()) {
    result.status = now.error();
    return;
  }
  result.before = *now;
  if (Same(knob, *now, change.before)) {
    result.remark = "had its old value already";
  } else if (!IsOurs(change, *now)) {
    result.after = *now;
    result.remark = kForeign;
    return;
  } else {
    result.status = actuator_.Write(change.hold, change.before);
  }
  if (result.status.ok()) result.status = actuator_.Release(change.hold);
}

ChangeResult HeldChanges::Loosen(HeldChange& change) {
  ChangeResult result{.target = change.hold.target,
                      .knob = change.hold.knob,
                      .before = change.set,
                      .after = change.before};
  if (!change.claims.empty()) {
    result.remark = "other rules still hold it";
    auto now = actuator_.Read(change.hold);
    if (!settings_.dry_run && now.ok() && !IsOurs(change, *now)) {
      result.remark = kForeign;
      result.after = *now;
      return result;
    }
    if (!Same(change.hold.knob, Lowest(change.claims), change.set)) {
      result.status = Apply(change);
    }
    result.after = change.set;
  } else if (!settings_.dry_run) {
    Restore(change, result);
  }
  return result;
}

std::vector<ChangeResult> HeldChanges::GiveBack(const std::string& rule) {
  std::vector<ChangeResult> results;
  // The last first: a group made for one knob may hold another.
  for (size_t i = changes_.size(); i-- > 0;) {
    HeldChange& change = changes_[i];
    if (change.claims.erase(rule) == 0) continue;
    results.push_back(Loosen(change));
    if (change.claims.empty() && results.back().status.ok()) {
      changes_.erase(changes_.begin() + static_cast<ptrdiff_t>(i));
    }
  }
  Status saved = settings_.dry_run ? Status() : Save();
  if (!saved.ok() && !results.empty())
    results.back().remark = saved.error().message();
  return results;
}

std::vector<ChangeResult> HeldChanges::GiveBackAll() {
  std::vector<ChangeResult> results;
  Changes kept;
  for (size_t i = changes_.size(); i-- > 0;) {
    changes_[i].claims.clear();
    results.push_back(Loosen(changes_[i]));
    if (!results.back().status.ok()) kept.push_back(changes_[i]);
  }
  std::ranges::reverse(kept);
  changes_ = std::move(kept);
  Status saved = settings_.dry_run ? Status() : Save();
  if (!saved.ok() && !results.empty())
    results.back().remark = saved.error().message();
  return results;
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
