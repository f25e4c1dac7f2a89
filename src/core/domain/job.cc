#include "domain/job.h"

#include <fmt/format.h>

#include <array>

#include "support/clock.h"
#include "support/json.h"
#include "support/nearest.h"

namespace mete {
namespace {

constexpr std::array<std::pair<JobState, std::string_view>, 6> kStates = {
    {{JobState::kQueued, "queued"},
     {JobState::kRunning, "running"},
     {JobState::kCompleted, "completed"},
     {JobState::kFailed, "failed"},
     {JobState::kCancelled, "cancelled"},
     {JobState::kInterrupted, "interrupted"}}};

void SetTime(Json& json, const char* key, std::optional<Job::Time> time) {
  if (time) json[key] = FormatUtc(*time);
}

Result<std::optional<Job::Time>> GetTime(const Json& json, const char* key) {
  auto text = GetOptional<std::string>(json, key);
  if (!text) return std::optional<Job::Time>();
  ASSIGN_OR_RETURN(Job::Time time, ParseUtc(*text));
  return std::optional(time);
}

Result<Job> ReadJob(const Json& json) {
  Job job;
  job.id = json.at("job_id").get<std::string>();
  job.name = GetText(json, "name");
  job.work = json.at("work");
  job.device_id = json.at("device_id").get<std::string>();
  ASSIGN_OR_RETURN(job.state,
                   ParseJobState(json.at("state").get<std::string>()));
  ASSIGN_OR_RETURN(job.submitted,
                   ParseUtc(json.at("submitted_at").get<std::string>()));
  ASSIGN_OR_RETURN(job.started, GetTime(json, "started_at"));
  ASSIGN_OR_RETURN(job.ended, GetTime(json, "ended_at"));
  job.run_ids = json.at("run_ids").get<std::vector<std::string>>();
  job.folder = GetText(json, "folder");
  job.error = GetText(json, "error");
  job.worker = GetText(json, "worker");
  ASSIGN_OR_RETURN(job.heartbeat, GetTime(json, "heartbeat_at"));
  job.cancel_requested = json.value("cancel_requested", false);
  return job;
}

}  // namespace

std::string_view ToString(JobState state) {
  for (const auto& [candidate, name] : kStates) {
    if (candidate == state) return name;
  }
  CHECK(false) << "state without a name: " << static_cast<int>(state);
  return "";
}

Result<JobState> ParseJobState(std::string_view name) {
  std::vector<std::string> names;
  for (const auto& [state, candidate] : kStates) {
    if (candidate == name) return state;
    names.emplace_back(candidate);
  }
  std::string advice = DidYouMean(name, names);
  if (advice.empty()) {
    advice = fmt::format("; expected {}", fmt::join(names, ", "));
  }
  return InvalidInput(fmt::format("'{}' is not a job state{}", name, advice));
}

bool IsFinal(JobState state) {
  return state != JobState::kQueued && state != JobState::kRunning;
}

Json JobToJson(const Job& job) {
  Json json;
  json["job_id"] = job.id;
  SetText(json, "name", job.name);
  json["state"] = ToString(job.state);
  json["device_id"] = job.device_id;
  json["submitted_at"] = FormatUtc(job.submitted);
  SetTime(json, "started_at", job.started);
  SetTime(json, "ended_at", job.ended);
  json["run_ids"] = job.run_ids;
  SetText(json, "folder", job.folder);
  SetText(json, "error", job.error);
  SetText(json, "worker", job.worker);
  SetTime(json, "heartbeat_at", job.heartbeat);
  if (job.cancel_requested) json["cancel_requested"] = true;
  json["work"] = job.work;
  return json;
}

Result<Job> JobFromJson(const Json& json) {
  auto job = ReadJson("job", [&] { return ReadJob(json); });
  if (!job.ok()) return Corrupt(job.error().message());
  return job;
}

}  // namespace mete
