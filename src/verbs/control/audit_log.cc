#include "control/audit_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <cerrno>

#include "support/clock.h"
#include "support/file.h"
#include "support/json.h"

namespace mete {
namespace {

// Enough to understand a decision; a selector may match thousands of series.
constexpr size_t kMostSeries = 10;

Json EvidenceToJson(const DecisionEvidence& evidence) {
  Json json;
  json["series"] = Json::array();
  for (const SeriesEvidence& series : evidence.series) {
    if (json["series"].size() == kMostSeries) break;
    Json one;
    one["source"] = series.source;
    one["labels"] = series.labels;
    SetNumber(one, "value", series.value);
    SetNumber(one, "divided_by", series.divided_by);
    one["age_seconds"] = series.age.count();
    json["series"].push_back(std::move(one));
  }
  if (evidence.series.size() > kMostSeries) {
    json["more_series"] = evidence.series.size() - kMostSeries;
  }
  json["window"] = {{"seconds", evidence.lasted.count()},
                    {"readings", evidence.stretch.readings},
                    {"least", evidence.stretch.least},
                    {"most", evidence.stretch.most}};
  return json;
}

Json KnobValue(std::optional<double> value) {
  return value ? Json(*value) : Json("none");
}

std::string KnobText(const AuditEntry& entry, std::optional<double> value) {
  if (entry.knob == "paused") return value.value_or(0) > 0 ? "yes" : "no";
  if (!value) return "none";
  if (entry.knob == "memory") {
    return FormatBytes(Bytes{static_cast<uint64_t>(*value)});
  }
  return fmt::format("{:.4g}", *value);
}

// Includes milliseconds, because several decisions may fall into one second.
std::string Stamp(std::chrono::system_clock::time_point time) {
  auto whole = std::chrono::floor<std::chrono::seconds>(time);
  auto rest =
      std::chrono::duration_cast<std::chrono::milliseconds>(time - whole);
  std::string text = FormatUtc(whole);
  text.pop_back();  // the Z
  return fmt::format("{}.{:03}Z", text, rest.count());
}

void Append(std::string& text, const std::string& more) {
  if (!more.empty()) text += ": " + more;
}

}  // namespace

Json AuditEntryToJson(const AuditEntry& entry) {
  Json json;
  json["time"] = Stamp(entry.time);
  SetText(json, "rule", entry.rule);
  json["decision"] = entry.decision;
  SetText(json, "state_before", entry.before);
  SetText(json, "state_after", entry.after);
  SetText(json, "objective", entry.objective);
  if (entry.evidence) json["evidence"] = EvidenceToJson(*entry.evidence);
  SetText(json, "action", entry.action);
  SetText(json, "target", entry.target);
  if (!entry.knob.empty()) {
    json["knob"] = entry.knob;
    json["value_before"] = KnobValue(entry.from);
    json["value_after"] = KnobValue(entry.to);
  }
  json["dry_run"] = entry.dry_run;
  SetText(json, "result", entry.result);
  SetText(json, "remark", entry.remark);
  SetText(json, "error", entry.error);
  return json;
}

std::string AuditEntryText(const AuditEntry& entry) {
  std::string text = entry.rule.empty() ? "" : entry.rule + ": ";
  if (!entry.action.empty()) {
    text += entry.decision + ", " + entry.action;
    if (!entry.target.empty()) text += " " + entry.target;
  } else if (entry.before != entry.after) {
    text += entry.before + " -> " + entry.after;
  } else {
    text += entry.decision;
  }
  if (!entry.knob.empty()) {
    text += fmt::format(", {} {} -> {}", entry.knob,
                        KnobText(entry, entry.from), KnobText(entry, entry.to));
  }
  if (entry.evidence && !entry.evidence->series.empty()) {
    const SeriesEvidence& worst = entry.evidence->series.front();
    text +=
        fmt::format(" ({}, objective {})",
                    FormatThreshold(worst.value, entry.unit), entry.objective);
  }
  Append(text, entry.result);
  Append(text, entry.remark);
  Append(text, entry.error);
  return text;
}

Result<AuditLog> AuditLog::Open(const std::filesystem::path& file) {
  if (file.has_parent_path()) RETURN_IF_ERROR(MakeFolder(file.parent_path()));
  const std::string lock_file = file.string() + ".lock";
  Descriptor lock(open(lock_file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock.open()) return SystemError("open " + lock_file, errno);
  if (flock(lock.number(), LOCK_EX | LOCK_NB) != 0) {
    return Unavailable(fmt::format(
        "another controller writes {}; name another file with --audit",
        file.string()));
  }
  Descriptor opened(
      open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0640));
  if (!opened.open()) return SystemError("open " + file.string(), errno);
  return AuditLog(std::move(opened), std::move(lock));
}

Status AuditLog::Write(const AuditEntry& entry) {
  std::string line = AuditEntryToJson(entry).dump(
      -1, ' ', false, Json::error_handler_t::replace);
  return WriteAll(file_.number(), line + "\n").While("write the audit log");
}

}  // namespace mete
