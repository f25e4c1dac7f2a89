#include "measure/run_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <thread>

#include "devices/this_device.h"
#include "measure/application_text.h"
#include "measure/keep_run.h"
#include "measure/one_at_a_time.h"
#include "measure/recorded_run.h"
#include "support/text.h"

namespace mete {
namespace {

using std::filesystem::path;

// A session in progress.
class Session {
 public:
  Session(const SessionSpec& spec, const RunContext& context,
          const path& folder, const SessionDependencies& dependencies,
          const ProgressLines& lines, std::stop_token stop)
      : context_(context),
        runs_(dependencies.runs),
        platform_(dependencies.platform),
        lines_(lines),
        stop_(std::move(stop)) {
    std::error_code error;
    result_.spec = spec;
    result_.device = context.device;
    result_.mete_version = context.mete_version;
    result_.folder = std::filesystem::absolute(folder, error);
    result_.started_at = platform_.clock.Wall();
    for (const ApplicationSpec& application : spec.applications) {
      result_.applications.push_back({.spec = application});
    }
    NameFolders();
  }

  void OneAfterTheOther() {
    for (size_t i = 0; i < result_.applications.size(); ++i) {
      ApplicationResult& application = result_.applications[i];
      auto prepared = Prepare(application);
      for (uint64_t run = 1; prepared && run <= application.spec.repeat;
           ++run) {
        if (Over(application)) break;
        prepared->check_machine = run == 1;
        Execute(i, *prepared, run);
        KeepLast(i);
      }
    }
  }

  // Each round starts after the previous one has ended, so that the
  // applications compete in every round.
  void SideBySide() {
    std::vector<std::optional<PreparedApplication>> prepared;
    std::mutex starting;
    std::vector<std::unique_ptr<Launcher>> launchers;
    uint64_t rounds = 0;
    for (ApplicationResult& application : result_.applications) {
      prepared.push_back(Prepare(application));
      rounds = std::max(rounds, application.spec.repeat);
      if (!prepared.back()) continue;
      launchers.push_back(
          std::make_unique<OneAtATime>(*prepared.back()->launcher, starting));
      prepared.back()->launcher = launchers.back().get();
    }
    for (uint64_t round = 1; round <= rounds; ++round) {
      std::vector<size_t> taking_part;
      for (size_t i = 0; i < prepared.size(); ++i) {
        const ApplicationResult& application = result_.applications[i];
        bool remaining = prepared[i] && round <= application.spec.repeat;
        if (remaining && !Over(application)) taking_part.push_back(i);
      }
      {
        std::vector<std::jthread> threads;  // joined here
        for (size_t i : taking_part) {
          threads.emplace_back([&, i] { Execute(i, *prepared[i], round); });
        }
      }
      for (size_t i : taking_part) KeepLast(i);
    }
  }

  SessionResult Finish(std::chrono::nanoseconds began) {
    result_.seconds = Seconds(platform_.clock.Now() - began).count();
    result_.interrupted = stop_.stop_requested();
    return std::move(result_);
  }

 private:
  std::optional<PreparedApplication> Prepare(ApplicationResult& application) {
    if (stop_.stop_requested() || !result_.stored.ok()) return std::nullopt;
    auto prepared = PrepareApplication(
        application.spec, context_, platform_,
        [&](const std::string& line) {
          Progress(DisplayName(application.spec) + ": " + line);
        },
        stop_);
    if (prepared.ok()) return *std::move(prepared);
    application.failure = prepared.error();
    return std::nullopt;
  }

  // Whether another run would be pointless.
  bool Over(const ApplicationResult& application) const {
    if (stop_.stop_requested() || !result_.stored.ok()) return true;
    if (application.failure) return true;
    if (application.runs.empty()) return false;
    return application.runs.back().run.outcome.kind == OutcomeKind::kRejected;
  }

  // Called from several threads at once, for different applications.
  void Execute(size_t index, const PreparedApplication& prepared,
               uint64_t run) {
    ApplicationResult& application = result_.applications[index];
    std::string which = DisplayName(application.spec);
    if (application.spec.repeat > 1) {
      which += fmt::format(", {} of {}", run, application.spec.repeat);
    }
    auto done =
        RecordRun(prepared, FolderFor(index, run), platform_,
                  {.progress =
                       [&](const ApplicationProgress& progress) {
                         Progress(which + ": " + ProgressText(progress));
                       },
                   .warn =
                       [&](const std::string& text) {
                         std::lock_guard lock(callbacks_mutex_);
                         if (lines_.warn) lines_.warn(which + ": " + text);
                       }},
                  stop_);
    if (done.ok()) {
      unsaved_[index] = true;
      application.runs.push_back(*std::move(done));
    } else {
      application.failure = done.error();
    }
  }

  // Stores the last run of an application, if there is an unsaved one.
  void KeepLast(size_t index) {
    if (!unsaved_[index]) return;
    unsaved_[index] = false;
    Status kept = KeepRun(runs_, result_.applications[index].runs.back().run);
    if (result_.stored.ok()) result_.stored = kept;
  }

  void Progress(const std::string& line) {
    std::lock_guard lock(callbacks_mutex_);
    if (lines_.progress) lines_.progress(line);
  }

  bool Taken(const std::string& name) const {
    return name == kSessionProfileFile || name == kSessionSamplesFile ||
           name == kSessionReportFile ||
           std::ranges::find(folders_, name) != folders_.end();
  }

  // Names that differ only in characters not allowed in folders get a number.
  void NameFolders() {
    for (const ApplicationResult& application : result_.applications) {
      std::string name = FolderName(DisplayName(application.spec));
      std::string free = name;
      for (int n = 2; Taken(free); ++n) free = fmt::format("{}-{}", name, n);
      folders_.push_back(free);
    }
    unsaved_.resize(folders_.size());
  }

  // Never the session's own folder, because its samples.csv differs from that
  // of a run.
  path FolderFor(size_t index, uint64_t run) const {
    const ApplicationSpec& spec = result_.applications[index].spec;
    path folder = result_.folder / folders_[index];
    return spec.repeat > 1 ? folder / std::to_string(run) : folder;
  }

  const RunContext& context_;
  RunStore& runs_;
  const ApplicationDependencies& platform_;
  const ProgressLines& lines_;
  std::stop_token stop_;
  SessionResult result_;
  std::vector<std::string> folders_;
  std::vector<char> unsaved_;  // by application; char, because threads write it
  std::mutex callbacks_mutex_;
};

// In the current directory, with a name that no other session uses.
path DefaultFolder(const SessionSpec& spec, const Clock& clock) {
  std::string stamp = FormatUtc(clock.Wall());  // 2024-05-01T12:30:00Z
  std::erase_if(stamp, [](char c) { return c == '-' || c == ':'; });
  return FolderName(spec.name) + "-" + stamp;
}

Status CheckFolder(const path& folder) {
  std::error_code error;
  if (!std::filesystem::exists(folder, error)) return {};
  if (!std::filesystem::is_directory(folder, error)) {
    return InvalidInput(folder.string() + " is a file, not a folder");
  }
  if (!std::filesystem::is_empty(folder, error)) {
    return InvalidInput(folder.string() +
                        " is not empty; choose another folder with --out");
  }
  return {};
}

}  // namespace

Status CheckSession(const SessionSpec& spec, bool allow_privileged,
                    const NetworkCheck& check_network) {
  for (const ApplicationSpec& application : spec.applications) {
    Status checked = CheckSpec(application, allow_privileged);
    if (checked.ok() && application.network && check_network) {
      checked = check_network(application.network->network);
    }
    RETURN_IF_ERROR(
        std::move(checked).While("application " + DisplayName(application)));
  }
  return {};
}

Result<SessionResult> RunSession(const SessionRequest& request,
                                 const SessionDependencies& dependencies,
                                 const ProgressLines& lines,
                                 std::stop_token stop) {
  const ApplicationDependencies& platform = dependencies.platform;
  path folder = request.folder;
  if (folder.empty()) folder = DefaultFolder(request.spec, platform.clock);
  RETURN_IF_ERROR(CheckFolder(folder));
  RunContext context{.mete_version = request.mete_version,
                     .allow_privileged = request.allow_privileged};
  ASSIGN_OR_RETURN(
      context.device,
      RegisterThisDevice(dependencies.runs, platform.host, platform.clock));
  RETURN_IF_ERROR(CheckSession(request.spec, request.allow_privileged,
                               platform.networks.check));
  const std::chrono::nanoseconds began = platform.clock.Now();
  Session session(request.spec, context, folder, dependencies, lines,
                  std::move(stop));
  if (request.spec.order == SessionOrder::kTogether) {
    session.SideBySide();
  } else {
    session.OneAfterTheOther();
  }
  SessionResult result = session.Finish(began);
  for (const ApplicationResult& application : result.applications) {
    if (!application.runs.empty()) return result;
  }
  for (const ApplicationResult& application : result.applications) {
    if (application.failure) {
      return application.failure->While("application " +
                                        DisplayName(application.spec));
    }
  }
  return Error(ErrorCode::kInterrupted, "stopped before anything ran");
}

std::vector<Run> CollectRuns(const SessionResult& session) {
  std::vector<Run> runs;
  for (const ApplicationResult& application : session.applications) {
    for (const ApplicationRun& done : application.runs) {
      runs.push_back(done.run);
    }
  }
  return runs;
}

std::string FolderName(const std::string& name) {
  std::string folder;
  for (char c : name) {
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    bool plain = letter || (c >= '0' && c <= '9') || c == '.' || c == '_';
    folder += plain ? c : '-';
  }
  // Must be neither hidden nor "..".
  folder.erase(0, folder.find_first_not_of('.'));
  if (folder.empty()) return "application";
  return folder.substr(0, 100);
}

}  // namespace mete
