#include "measure/run_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <thread>

#include "devices/this_device.h"
#include "measure/application_text.h"
#include "measure/cluster_nodes.h"
#include "measure/keep_run.h"
#include "measure/machine_check.h"
#include "measure/one_at_a_time.h"
#include "measure/pin.h"
#include "measure/recorded_run.h"
#include "measure/session_folder.h"
#include "measure/speed_history.h"
#include "support/text.h"

namespace mete {
namespace {

using std::filesystem::path;

// A session in progress.
class Session {
 public:
  Session(const SessionRequest& request, const RunContext& context,
          SessionFolder& folder, const SessionDependencies& dependencies,
          const ProgressLines& lines, std::stop_token stop)
      : folder_(folder),
        so_far_(request.so_far),
        context_(context),
        runs_(dependencies.runs),
        platform_(dependencies.platform),
        lines_(lines),
        stop_(std::move(stop)) {
    result_.spec = request.spec;
    result_.device = context.device;
    result_.mete_version = context.mete_version;
    result_.folder = folder.path();
    result_.started_at = folder.state().started_at;
    result_.resumed = folder.state().resumed;
    seconds_before_ = folder.state().seconds;
    began_ = platform_.clock.Now();
    for (const ApplicationSpec& application : request.spec.applications) {
      result_.applications.push_back({.spec = application});
    }
    NameFolders();
    if (result_.resumed > 0) TakeEarlierRuns();
  }

  void OneAfterTheOther() {
    for (size_t i = 0; i < result_.applications.size(); ++i) {
      ApplicationResult& application = result_.applications[i];
      uint64_t run = application.runs.size() + 1;
      if (run > application.spec.repeat || Over(application)) continue;
      auto prepared = Prepare(application);
      for (; prepared && run <= application.spec.repeat; ++run) {
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
    const uint64_t first = CompleteRounds() + 1;
    for (uint64_t round = first; round <= rounds; ++round) {
      // Before any of them runs: they would take each other for strangers.
      MachineCheck check;
      if (round == first) {
        check = CheckMachine(platform_.host, platform_.clock, stop_);
      }
      std::vector<size_t> taking_part;
      for (size_t i = 0; i < prepared.size(); ++i) {
        const ApplicationResult& application = result_.applications[i];
        bool remaining = prepared[i] && round <= application.spec.repeat;
        if (!remaining || Over(application)) continue;
        prepared[i]->machine = check;
        taking_part.push_back(i);
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

  SessionResult Finish() {
    result_.seconds = SecondsSoFar();
    result_.interrupted = stop_.stop_requested();
    if (!result_.interrupted && result_.stored.ok()) {
      // First the files: a finished session is not resumed to write them.
      if (so_far_ && !CollectRuns(result_).empty()) so_far_(result_);
      result_.stored = folder_.Finish(result_.seconds);
    }
    return std::move(result_);
  }

 private:
  // Only the runs before the first one that is missing: later ones are made
  // again, so that run N is always the Nth.
  void TakeEarlierRuns() {
    for (size_t i = 0; i < result_.applications.size(); ++i) {
      ApplicationResult& application = result_.applications[i];
      for (uint64_t run = 1; run <= application.spec.repeat; ++run) {
        auto earlier = folder_.FindRun(FolderFor(i, run), runs_);
        if (!earlier) break;
        application.runs.push_back(*std::move(earlier));
      }
    }
    if (result_.spec.order != SessionOrder::kTogether) return;
    // Applications that missed each other in a round must not be compared.
    const uint64_t complete = CompleteRounds();
    for (ApplicationResult& application : result_.applications) {
      if (application.runs.size() > complete) {
        application.runs.resize(complete);
      }
    }
  }

  // The number of rounds for which every application has a run, as far as it
  // takes part.
  uint64_t CompleteRounds() const {
    uint64_t complete = UINT64_MAX;
    uint64_t longest = 0;
    for (const ApplicationResult& application : result_.applications) {
      longest = std::max<uint64_t>(longest, application.runs.size());
      bool done = application.runs.size() >= application.spec.repeat ||
                  WasRejected(application);
      if (!done) {
        complete = std::min<uint64_t>(complete, application.runs.size());
      }
    }
    return std::min(complete, longest);
  }

  static bool WasRejected(const ApplicationResult& application) {
    return !application.runs.empty() &&
           application.runs.back().run.outcome.kind == OutcomeKind::kRejected;
  }

  double SecondsSoFar() const {
    return seconds_before_ + Seconds(platform_.clock.Now() - began_).count();
  }

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
    return application.failure || WasRejected(application);
  }

  // Called from several threads at once, for different applications.
  void Execute(size_t index, const PreparedApplication& prepared,
               uint64_t run) {
    ApplicationResult& application = result_.applications[index];
    std::string which = DisplayName(application.spec);
    if (application.spec.repeat > 1) {
      which += fmt::format(", {} of {}", run, application.spec.repeat);
    }
    const path folder = FolderFor(index, run);
    std::error_code ignored;  // what a killed mete left; usually nothing
    std::filesystem::remove_all(folder, ignored);
    auto done =
        RecordRun(prepared, folder, platform_,
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
    std::vector<ApplicationRun>& runs = result_.applications[index].runs;
    // Side by side, a network is slower on purpose.
    if (result_.spec.order != SessionOrder::kTogether) {
      NoteEarlierSpeed(runs_, runs.front().run.started_at, runs.back().run);
    }
    Status kept = KeepRun(runs_, runs.back().run);
    if (kept.ok()) {
      kept = folder_.KeepRun(FolderFor(index, runs.size()), runs.back(),
                             SecondsSoFar());
    }
    if (result_.stored.ok()) result_.stored = kept;
    if (!so_far_) return;
    result_.seconds = SecondsSoFar();
    result_.interrupted = true;
    so_far_(result_);
  }

  void Progress(const std::string& line) {
    std::lock_guard lock(callbacks_mutex_);
    if (lines_.progress) lines_.progress(line);
  }

  bool Taken(const std::string& name) const {
    return name == kSessionProfileFile || name == kSessionSamplesFile ||
           name == kSessionReportFile || name == kSessionStateFile ||
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

  SessionFolder& folder_;
  const std::function<void(const SessionResult&)>& so_far_;
  const RunContext& context_;
  RunStore& runs_;
  const ApplicationDependencies& platform_;
  const ProgressLines& lines_;
  std::stop_token stop_;
  SessionResult result_;
  double seconds_before_ = 0;  // spent by earlier metes
  std::chrono::nanoseconds began_{};
  std::vector<std::string> folders_;
  std::vector<char> unsaved_;  // by application; char, because threads write it
  std::mutex callbacks_mutex_;
};

// CPUs that this machine does not have are found before anything runs.
Status CheckPins(const SessionSpec& spec, Host& host) {
  for (const ApplicationSpec& application : spec.applications) {
    if (!application.limits.pin) continue;
    RETURN_IF_ERROR(
        CheckPin(*application.limits.pin, host)
            .While("application " + DisplayName(application) + ": pin"));
  }
  return {};
}

// An application for each node that one selects, named "app@node".
Result<std::vector<ApplicationSpec>> OnEachNode(
    const std::vector<ApplicationSpec>& applications, Launchers& launchers,
    const std::stop_token& stop) {
  std::vector<ApplicationSpec> expanded;
  for (const ApplicationSpec& application : applications) {
    if (application.nodes.empty()) {
      expanded.push_back(application);
      continue;
    }
    ASSIGN_OR_RETURN(Launcher * launcher,
                     launchers.Find(application.launcher, stop));
    ASSIGN_OR_RETURN(auto nodes,
                     SelectNodes(application.nodes, *launcher, stop)
                         .While("application " + DisplayName(application)));
    for (const std::string& node : nodes) {
      ApplicationSpec one = application;
      one.name = DisplayName(application) + "@" + node;
      one.node = node;
      one.nodes.clear();
      expanded.push_back(std::move(one));
    }
  }
  return expanded;
}

// In the current directory, with a name that no other session uses.
path DefaultFolder(const SessionSpec& spec, const Clock& clock) {
  std::string stamp = FormatUtc(clock.Wall());  // 2024-05-01T12:30:00Z
  std::erase_if(stamp, [](char c) { return c == '-' || c == ':'; });
  return FolderName(spec.name) + "-" + stamp;
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
  RunContext context{.mete_version = request.mete_version,
                     .allow_privileged = request.allow_privileged};
  ASSIGN_OR_RETURN(
      context.device,
      RegisterThisDevice(dependencies.runs, platform.host, platform.clock));
  RETURN_IF_ERROR(CheckSession(request.spec, request.allow_privileged,
                               platform.networks.check));
  RETURN_IF_ERROR(CheckPins(request.spec, platform.host));
  SessionRequest expanded = request;
  ASSIGN_OR_RETURN(
      expanded.spec.applications,
      OnEachNode(request.spec.applications, platform.launchers, stop));
  ASSIGN_OR_RETURN(
      SessionFolder files,
      SessionFolder::Open(folder, {.name = request.spec.name,
                                   .key = SessionKey(request.spec),
                                   .device = context.device.id,
                                   .started_at = platform.clock.Wall()}));
  Session session(expanded, context, files, dependencies, lines,
                  std::move(stop));
  if (request.spec.order == SessionOrder::kTogether) {
    session.SideBySide();
  } else {
    session.OneAfterTheOther();
  }
  SessionResult result = session.Finish();
  for (const ApplicationResult& application : result.applications) {
    if (!application.runs.empty()) return result;
  }
  files.Discard();
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
