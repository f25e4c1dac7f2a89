#include "measure/recorded_run.h"

#include <optional>
#include <utility>

#include "measure/app_metrics_collector.h"
#include "measure/container_view.h"
#include "measure/machine_check.h"
#include "measure/network_process.h"
#include "measure/sample_csv.h"
#include "support/capped_log.h"
#include "support/file.h"

namespace mete {
namespace {

using std::filesystem::path;

// Enough to diagnose a failure. A verbose application must not fill the disk of
// a small device.
constexpr Bytes kLogCap = Mebibytes(16);

// The probe for a run that does not observe the machine.
class NoMachineProbe final : public MachineProbe {
 public:
  MachineSample Read() override { return {}; }
};

// Creates a folder. Removes it at the end if it is still empty and did not
// exist before.
class RunFolder {
 public:
  static Result<RunFolder> Make(const path& folder) {
    std::error_code error;
    path first = folder;  // the topmost folder that did not exist
    std::optional<path> made;
    while (!first.empty() && !std::filesystem::exists(first, error)) {
      made = first;
      if (first == first.parent_path()) break;
      first = first.parent_path();
    }
    std::filesystem::create_directories(folder, error);
    if (error) return SystemError("create " + folder.string(), error.value());
    return RunFolder(std::filesystem::absolute(folder), made);
  }
  RunFolder(RunFolder&& other) noexcept
      : path_(std::move(other.path_)), made_(std::exchange(other.made_, {})) {}
  RunFolder& operator=(RunFolder&&) = delete;
  ~RunFolder() {
    if (!made_) return;
    std::error_code ignored;  // not empty: it is in use
    for (path folder = path_; !folder.empty(); folder = folder.parent_path()) {
      std::filesystem::remove(folder, ignored);
      if (ignored || folder == *made_) return;
    }
  }

  const path& Path() const { return path_; }

 private:
  RunFolder(path folder, const std::optional<path>& made)
      : path_(std::move(folder)) {
    if (made) made_ = std::filesystem::absolute(*made);
  }

  path path_;
  std::optional<path> made_;
};

// The hooks of one run: a socket in a temporary folder, because socket paths
// must be short.
class Hooks {
 public:
  Status Open(const ApplicationDependencies& platform, LaunchRequest& launch) {
    ASSIGN_OR_RETURN(folder_, ScratchFolder::Create());
    bool everyone = launch.container.has_value() || launch.user.has_value();
    if (everyone) {
      std::error_code error;
      using std::filesystem::perms;
      std::filesystem::permissions(
          folder_->path(),
          perms::owner_all | perms::group_exec | perms::others_exec, error);
      if (error) return SystemError("share the hooks' folder", error.value());
    }
    ASSIGN_OR_RETURN(listener_, platform.listen({.folder = folder_->path(),
                                                 .everyone = everyone},
                                                metrics_));
    ShowHooks(listener_->path(), launch);
    return {};
  }

  AppMetrics Finish() {
    if (listener_) listener_->Stop();
    return metrics_.Summarise();
  }

 private:
  std::optional<ScratchFolder> folder_;
  AppMetricsCollector metrics_;
  std::unique_ptr<AppListener> listener_;
};

void Warn(const RunCallbacks& callbacks, const std::string& message) {
  if (callbacks.warn) callbacks.warn(message);
}

// Nothing ran: removes the empty log, so that the folder can be removed too.
void RemoveLog(const path& file) {
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
}

void WriteSamples(const path& file, ApplicationRun& done,
                  const RunCallbacks& callbacks) {
  // A link that somebody else left there must not be followed.
  std::error_code ignored;
  if (std::filesystem::is_symlink(file, ignored)) {
    std::filesystem::remove(file, ignored);
  }
  Status written = WriteFileAtomically(file, SamplesCsv(done.samples));
  if (written.ok()) {
    done.run.application()->samples_file = file.string();
  } else {  // a failure here must not lose the run
    Warn(callbacks,
         "the samples could not be written: " + written.error().message());
  }
}

}  // namespace

std::string NewRunId(const ApplicationDependencies& platform) {
  return MakeRunId(platform.clock.Wall(), platform.draw_entropy());
}

Result<ApplicationRun> RecordRun(PreparedApplication application,
                                 const path& folder,
                                 const ApplicationDependencies& platform,
                                 const RunCallbacks& callbacks,
                                 std::stop_token stop) {
  if (application.run_id.empty()) application.run_id = NewRunId(platform);
  ASSIGN_OR_RETURN(RunFolder files, RunFolder::Make(folder));
  const path log_file = files.Path() / kLogFile;
  ASSIGN_OR_RETURN(CappedLog log, CappedLog::Open(log_file, kLogCap));
  application.launch.output = [&log](std::string_view text) {
    log.Write(text);
  };
  const ProbeChoice& probes = application.spec.probes;
  Hooks hooks;
  const bool network = application.spec.network.has_value();
  std::optional<ScratchFolder> scratch;  // for the result of a network
  std::filesystem::path measured;
  if (network) {
    ASSIGN_OR_RETURN(scratch, ScratchFolder::Create());
    measured = scratch->path() / "measured";
    application.launch.command.insert(application.launch.command.end(),
                                      {kResultFlag, measured.string()});
  }
  if (probes.hooks && !network) {
    Status opened = hooks.Open(platform, application.launch);
    if (!opened.ok()) {
      RemoveLog(log_file);
      return opened.error();
    }
  }
  MachineCheck check = application.machine;
  if (application.check_machine && application.spec.launcher.empty()) {
    check = CheckMachine(platform.host, platform.clock, stop);
  }
  std::unique_ptr<MachineProbe> machine =
      probes.machine ? platform.new_machine_probe()
                     : std::make_unique<NoMachineProbe>();
  auto done = RunApplication(
      application,
      {.machine = *machine, .host = platform.host, .clock = platform.clock},
      callbacks.progress, stop);
  AppMetrics metrics = hooks.Finish();
  if (!done.ok() || !done->run.application()->started()) {
    RemoveLog(log_file);
    if (done.ok() && network) {
      done->run = MakeNetworkRun(std::move(done->run), NotFound("not started"));
    }
    return done;
  }
  Result<Run> result = NotFound("no network");
  if (network) {
    result = ReadMeasured(measured);
    std::error_code ignored;
    const bool said = std::filesystem::exists(measured, ignored);
    if (!result.ok() && said &&
        done->run.outcome.kind == OutcomeKind::kFailed) {
      RemoveLog(log_file);  // the error says all
      return result.error();
    }
  }
  if (!log.status().ok()) {
    Warn(callbacks,
         "the output is incomplete: " + log.status().error().message());
  }
  KeepCheck(check, done->run);
  done->run.application()->app_metrics = std::move(metrics);
  done->run.application()->log_file = log_file.string();
  WriteSamples(files.Path() / kSamplesFile, *done, callbacks);
  if (network) done->run = MakeNetworkRun(std::move(done->run), result);
  return done;
}

}  // namespace mete
