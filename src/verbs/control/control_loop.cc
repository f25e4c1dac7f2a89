#include "control/control_loop.h"
#include "net/url_login.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <variant>

#include "support/json.h"

namespace mete {
namespace {

// Converts an action that changes a knob to a request; absent for the others.
std::optional<ChangeRequest> MakeRequest(const SloRule& rule,
                                         const ControlAction& action) {
  if (const auto* limit = std::get_if<LimitAction>(&action)) {
    return ChangeRequest{.rule = rule.name,
                         .target = limit->target,
                         .knob = limit->knob,
                         .to = limit->to,
                         .step = limit->step,
                         .at_least = limit->at_least};
  }
  if (const auto* pause = std::get_if<PauseAction>(&action)) {
    return ChangeRequest{.rule = rule.name,
                         .target = pause->target,
                         .knob = ControlKnob::kPause,
                         .to = 1};
  }
  return std::nullopt;
}

std::string_view ToString(const ControlAction& action) {
  constexpr std::array kNames = {"log", "webhook", "limit", "pause", "replace"};
  return kNames.at(action.index());
}

}  // namespace

ControlLoop::ControlLoop(const SloRules& rules, const ControlMode& mode,
                         ControlDependencies dependencies)
    : rules_(rules),
      mode_(mode),
      dependencies_(std::move(dependencies)),
      changes_({.file = mode.state_file,
                .dry_run = mode.dry_run,
                .cores = mode.cores},
               dependencies_.actuator),
      budget_(rules.acts_per_minute) {
  for (const SloRule& rule : rules_.rules) {
    watched_.push_back({.rule = rule, .state = RuleState(rule)});
  }
}

AuditEntry ControlLoop::Plain(std::string decision) const {
  return {.time = dependencies_.clock.Wall(),
          .decision = std::move(decision),
          .dry_run = mode_.dry_run};
}

AuditEntry ControlLoop::Entry(const Watched& watched,
                              const RuleReading& reading,
                              std::string decision) const {
  AuditEntry entry = Plain(std::move(decision));
  entry.rule = watched.rule.name;
  entry.objective = watched.rule.objective.Text();
  entry.unit = watched.rule.objective.bound.unit;
  entry.before = entry.after = mete::ToString(watched.state.phase());
  const Stretch& stretch = watched.state.stretch();
  entry.evidence =
      DecisionEvidence{.series = reading.series,
                       .lasted = dependencies_.clock.Now() - stretch.since,
                       .stretch = stretch};
  return entry;
}

// Resolves process ids now: a pid means the process that has it when the rules
// are read.
void ControlLoop::LookAtProcesses() {
  for (const SloRule& rule : rules_.rules) {
    for (const ControlAction& action : rule.actions) {
      auto request = MakeRequest(rule, action);
      if (!request) continue;
      if (request->target.kind != ControlTarget::Kind::kProcess) continue;
      static_cast<void>(
          dependencies_.actuator.Find(request->target, request->knob).ok());
    }
  }
}

Status ControlLoop::Recover() {
  LookAtProcesses();
  ASSIGN_OR_RETURN(size_t left, changes_.Load());
  if (left == 0) return {};
  if (mode_.dry_run) {
    AuditEntry entry = Plain("leftover");
    entry.remark = fmt::format(
        "an earlier controller left {} change{}; use --act to restore", left,
        left == 1 ? "" : "s");
    return dependencies_.record(entry);
  }
  for (const ChangeResult& result : changes_.RestoreAll()) {
    RETURN_IF_ERROR(RecordChange(Plain("recover"), result));
  }
  return {};
}

Status ControlLoop::Run(std::stop_token stop) {
  const auto every =
      std::chrono::duration_cast<std::chrono::nanoseconds>(rules_.every);
  Status status;
  while (status.ok() && !stop.stop_requested()) {
    const auto start = dependencies_.clock.Now();
    status = Round(stop);
    const auto rest = every - (dependencies_.clock.Now() - start);
    if (rest.count() > 0 && !dependencies_.clock.SleepFor(rest, stop)) break;
  }
  Status ended = End();
  return status.ok() ? ended : status;
}

Status ControlLoop::End() {
  if (mode_.keep) return changes_.Forget();
  // Restores everything before reporting a failure to write the record.
  Status status;
  for (const ChangeResult& result : changes_.RestoreAll()) {
    Status recorded = RecordChange(Plain("end"), result);
    if (status.ok()) status = recorded;
  }
  return status;
}

Status ControlLoop::Round(std::stop_token stop) {
  auto answers = AskSources(rules_, dependencies_.sources, stop);
  if (stop.stop_requested()) return {};
  RETURN_IF_ERROR(ReportSources(answers));
  for (size_t i = 0; i < watched_.size(); ++i) {
    RuleReading reading =
        ReadRule(watched_[i].rule, answers[i], rules_.stale_after);
    RETURN_IF_ERROR(JudgeRule(watched_[i], reading));
  }
  RETURN_IF_ERROR(RestoreLeftovers());
  return ReportDeliveries();
}

Status ControlLoop::JudgeRule(Watched& watched, const RuleReading& reading) {
  RETURN_IF_ERROR(ReportMissing(watched, reading));
  RuleState& state = watched.state;
  const RulePhase before = state.phase();
  auto worst = reading.worst();
  if (before == RulePhase::kActed && worst &&
      watched.rule.objective.ViolatedBy(*worst)) {
    state.CanDoMore(CanDoMore(watched.rule));
  }
  auto wish = state.Take(worst, reading.complete, dependencies_.clock.Now());
  if (state.phase() != before) {
    AuditEntry entry = Entry(watched, reading, "state");
    entry.before = mete::ToString(before);
    RETURN_IF_ERROR(dependencies_.record(entry));
  }
  switch (wish) {
    case RuleState::Wish::kNothing:
      watched.held.clear();
      return {};
    case RuleState::Wish::kAct:
      return Act(watched, reading);
    case RuleState::Wish::kRestore:
      return Restore(watched, reading);
  }
  return {};
}

bool ControlLoop::CanDoMore(const SloRule& rule) {
  for (const ControlAction& action : rule.actions) {
    auto request = MakeRequest(rule, action);
    if (request && changes_.CanTighten(*request)) return true;
  }
  return false;
}

Status ControlLoop::Act(Watched& watched, const RuleReading& reading) {
  if (!budget_.Take(dependencies_.clock.Now())) {
    if (!watched.held.empty()) return {};
    AuditEntry entry = Entry(watched, reading, "hold");
    entry.remark = watched.held = fmt::format(
        "the limit acts_per_minute: {} is reached", rules_.acts_per_minute);
    return dependencies_.record(entry);
  }
  watched.held.clear();
  const bool first = watched.state.phase() == RulePhase::kViolating;
  AuditEntry entry = Entry(watched, reading, "act");
  entry.after = mete::ToString(RulePhase::kActed);
  for (const ControlAction& action : watched.rule.actions) {
    RETURN_IF_ERROR(ActOnce(watched, action, first, entry));
  }
  watched.state.Acted(CanDoMore(watched.rule), dependencies_.clock.Now());
  return {};
}

Status ControlLoop::ActOnce(Watched& watched, const ControlAction& action,
                            bool first, AuditEntry entry) {
  entry.action = ToString(action);
  if (auto request = MakeRequest(watched.rule, action)) {
    if (!first && !changes_.CanTighten(*request)) return {};
    return RecordChange(std::move(entry), changes_.Tighten(*request));
  }
  if (const auto* hook = std::get_if<WebhookAction>(&action)) {
    return Notify(watched, hook->url, Json::object(), std::move(entry));
  }
  if (!first) return {};
  if (const auto* replace = std::get_if<ReplaceAction>(&action)) {
    entry.target = replace->app;
    return Notify(watched, replace->url, {{"replace", replace->app}},
                  std::move(entry));
  }
  entry.result = "done";
  return dependencies_.record(entry);
}

Status ControlLoop::Restore(Watched& watched, const RuleReading& reading) {
  AuditEntry entry = Entry(watched, reading, "give back");
  entry.after = mete::ToString(RulePhase::kWithin);
  for (const ChangeResult& result : changes_.Restore(watched.rule.name)) {
    RETURN_IF_ERROR(RecordChange(entry, result));
  }
  watched.state.Restored(dependencies_.clock.Now());
  RETURN_IF_ERROR(dependencies_.record(entry));
  for (const ControlAction& action : watched.rule.actions) {
    const auto* hook = std::get_if<WebhookAction>(&action);
    if (hook == nullptr) continue;
    AuditEntry notified = entry;
    notified.action = ToString(action);
    RETURN_IF_ERROR(
        Notify(watched, hook->url, Json::object(), std::move(notified)));
  }
  return {};
}

// Not in every round, because a hanging engine would delay the other rules.
Status ControlLoop::RestoreLeftovers() {
  constexpr std::chrono::seconds kBetween{10};
  const auto now = dependencies_.clock.Now();
  if (now - tried_left_ < kBetween) return {};
  tried_left_ = now;
  for (const ChangeResult& result : changes_.RestoreLeftovers()) {
    RETURN_IF_ERROR(RecordChange(Plain("give back"), result));
  }
  return {};
}

Status ControlLoop::RecordChange(AuditEntry entry, const ChangeResult& result) {
  if (entry.action.empty()) {
    entry.action = result.knob == ControlKnob::kPause ? "pause" : "limit";
  }
  entry.target = result.target.Text();
  entry.knob = mete::ToString(result.knob);
  entry.from = result.before;
  entry.to = result.after;
  entry.remark = result.remark;
  if (!result.status.ok()) {
    entry.result = "failed";
    entry.error = result.status.error().message();
  } else {
    entry.result = mode_.dry_run ? "would" : "done";
  }
  return dependencies_.record(entry);
}

Status ControlLoop::Notify(Watched& watched, const std::string& url,
                           const Json& extra, AuditEntry entry) {
  entry.remark = RedactUrl(url);
  entry.result = mode_.dry_run ? "would" : "sent";
  if (!mode_.dry_run) {
    Json body = AuditEntryToJson(entry);
    body.update(extra);
    dependencies_.notifier.Send(
        {.url = url, .body = std::move(body), .about = watched.rule.name});
  }
  return dependencies_.record(entry);
}

}  // namespace mete
