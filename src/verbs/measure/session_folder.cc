#include "measure/session_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>

#include "measure/application_spec_json.h"
#include "measure/recorded_run.h"
#include "support/clock.h"
#include "support/file.h"
#include "support/json.h"
#include "support/sha256.h"

namespace mete {
namespace {

using std::filesystem::path;

constexpr int kStateVersion = 1;

Json StateToJson(const SessionState& state) {
  Json json;
  json["schema_version"] = kStateVersion;
  json["session"] = state.name;
  json["key"] = state.key;
  json["device"] = state.device;
  json["started_at"] = FormatUtc(state.started_at);
  json["seconds"] = state.seconds;
  json["resumed"] = state.resumed;
  json["finished"] = state.finished;
  return json;
}

Result<SessionState> ReadState(const path& file) {
  ASSIGN_OR_RETURN(std::string text, ReadFile(file));
  ASSIGN_OR_RETURN(Json json, ParseJson(text).While("read " + file.string()));
  return ReadJson(file.string(), [&]() -> Result<SessionState> {
    SessionState state{.name = json.at("session").get<std::string>(),
                       .key = json.at("key").get<std::string>(),
                       .device = json.at("device").get<std::string>(),
                       .seconds = json.at("seconds").get<double>(),
                       .resumed = json.at("resumed").get<int>(),
                       .finished = json.at("finished").get<bool>()};
    ASSIGN_OR_RETURN(state.started_at,
                     ParseUtc(json.at("started_at").get<std::string>()));
    return state;
  });
}

// A file that WriteFileAtomically had not renamed yet when mete was killed:
// "profile.json.01234567".
bool IsHalfWritten(const path& file) {
  const std::string ending = file.extension().string();
  const std::string stem = file.stem().extension().string();
  const bool ours = stem == ".json" || stem == ".csv" || stem == ".html";
  return ours && ending.size() == 9 &&
         ending.find_first_not_of("0123456789abcdef", 1) == std::string::npos;
}

void RemoveHalfWritten(const path& folder) {
  auto files = FilesIn(folder);
  if (!files.ok()) return;
  std::error_code ignored;
  for (const path& file : *files) {
    if (IsHalfWritten(file)) std::filesystem::remove(file, ignored);
  }
}

// Whether the files in the folder are all of them remains of a first write.
bool IsEmpty(const path& folder) {
  auto files = FilesIn(folder);
  return files.ok() && std::ranges::all_of(*files, [](const path& file) {
           return file.filename().string().starts_with(kSessionStateFile) &&
                  IsHalfWritten(file);
         });
}

Error Refusal(const path& folder, const std::string& why) {
  return InvalidInput(fmt::format("{} {}; choose another folder with --out",
                                  folder.string(), why));
}

// The state to go on with: `state` in an empty folder, or that of the session
// that was interrupted there.
Result<SessionState> Continue(const path& folder, SessionState state) {
  auto found = ReadState(folder / kSessionStateFile);
  if (!found.ok()) {
    if (found.error().code() != ErrorCode::kNotFound) return found.error();
    if (!IsEmpty(folder)) return Refusal(folder, "is not empty");
    return state;
  }
  if (found->key != state.key) {
    return Refusal(folder,
                   "has the results of another session, or of this one with "
                   "another content");
  }
  if (found->device != state.device) {
    return Refusal(folder, "has the results of this session on another device");
  }
  if (found->finished) {
    return Refusal(folder,
                   "has the results of this session, which is finished");
  }
  ++found->resumed;
  return found;
}

// Creates the folder and returns those that did not exist.
Result<std::vector<path>> MakeFolders(const path& folder) {
  std::vector<path> made;
  std::error_code error;
  for (path missing = folder; !std::filesystem::exists(missing, error);
       missing = missing.parent_path()) {
    made.insert(made.begin(), missing);
  }
  RETURN_IF_ERROR(MakeFolder(folder));
  return made;
}

// What the curves of a report need and the store does not have.
Json RatesToJson(const ApplicationRun& done) {
  Json rates = Json::object();
  if (!done.run.application()) return rates;
  for (const auto& [name, metric] : done.run.application()->app_metrics) {
    if (metric.per_second.empty()) continue;
    rates[name]["from_seconds"] = Seconds(metric.first - done.started).count();
    rates[name]["per_second"] = metric.per_second;
  }
  return rates;
}

void SetRates(const Json& rates, ApplicationRun& done) {
  if (!done.run.application()) return;
  AppMetrics& metrics = done.run.application()->app_metrics;
  for (const auto& [name, rate] : rates.items()) {
    auto metric = metrics.find(name);
    if (metric == metrics.end()) continue;
    metric->second.first = std::chrono::duration_cast<std::chrono::nanoseconds>(
        Seconds(rate.at("from_seconds").get<double>()));
    metric->second.per_second =
        rate.at("per_second").get<std::vector<double>>();
  }
}

Result<ApplicationRun> ReadRun(const path& folder, RunStore& runs) {
  const path file = folder / kRunFile;
  ASSIGN_OR_RETURN(std::string text, ReadFile(file));
  ASSIGN_OR_RETURN(Json json, ParseJson(text));
  return ReadJson(file.string(), [&]() -> Result<ApplicationRun> {
    ApplicationRun done;
    ASSIGN_OR_RETURN(done.run,
                     runs.FindRun(json.at("run_id").get<std::string>()));
    SetRates(json.at("rates"), done);
    auto samples = ReadFile(folder / kSamplesFile);
    done.earlier_samples = samples.ok() ? *samples : "";
    return done;
  });
}

}  // namespace

std::string SessionKey(const SessionSpec& spec) {
  std::string content = spec.name + "\n" + spec.text + "\n";
  content += std::string(ToString(spec.order)) + "\n";
  for (const ApplicationSpec& application : spec.applications) {
    content += DumpJson(ApplicationSpecToJson(application)) + "\n";
  }
  return ComputeSha256(content);
}

Result<SessionFolder> SessionFolder::Open(const std::filesystem::path& folder,
                                          SessionState state) {
  std::error_code error;
  SessionFolder opened;
  opened.path_ = std::filesystem::absolute(folder, error);
  if (std::filesystem::exists(folder, error) &&
      !std::filesystem::is_directory(folder, error)) {
    return InvalidInput(folder.string() + " is a file, not a folder");
  }
  ASSIGN_OR_RETURN(opened.made_, MakeFolders(opened.path_));
  opened.lock_ = Descriptor(
      ::open(opened.path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // A file system without locks cannot have them tested.
  if (flock(opened.lock_.number(), LOCK_EX | LOCK_NB) != 0 &&
      errno == EWOULDBLOCK) {
    return Refusal(folder, "is in use by another mete");
  }
  auto continued = Continue(folder, std::move(state));
  if (!continued.ok()) return continued.error();
  opened.state_ = *std::move(continued);
  RemoveHalfWritten(opened.path_);
  Status written = opened.Write();
  if (!written.ok()) {
    opened.Discard();
    return written.error();
  }
  return opened;
}

Status SessionFolder::Write() const {
  return WriteFileAtomically(path_ / kSessionStateFile,
                             DumpJson(StateToJson(state_)) + "\n");
}

Status SessionFolder::KeepRun(const std::filesystem::path& run_folder,
                              const ApplicationRun& done, double seconds) {
  Json json;
  json["run_id"] = done.run.id;
  json["rates"] = RatesToJson(done);
  RETURN_IF_ERROR(MakeFolder(run_folder));
  RETURN_IF_ERROR(
      WriteFileAtomically(run_folder / kRunFile, DumpJson(json) + "\n"));
  state_.seconds = seconds;
  return Write();
}

std::optional<ApplicationRun> SessionFolder::FindRun(
    const std::filesystem::path& run_folder, RunStore& runs) const {
  auto done = ReadRun(run_folder, runs);
  // Whatever is wrong with it, the run can be made again.
  if (!done.ok()) return std::nullopt;
  if (done->run.outcome.kind == OutcomeKind::kInterrupted) return std::nullopt;
  return *std::move(done);
}

Status SessionFolder::Finish(double seconds) {
  state_.seconds = seconds;
  state_.finished = true;
  return Write();
}

void SessionFolder::Discard() {
  if (state_.resumed > 0) return;
  std::error_code ignored;
  std::filesystem::remove(path_ / kSessionStateFile, ignored);
  for (size_t i = made_.size(); i > 0; --i) {
    std::filesystem::remove(made_[i - 1], ignored);
  }
}

}  // namespace mete
