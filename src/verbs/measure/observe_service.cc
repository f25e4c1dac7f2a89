#include "measure/observe_service.h"

#include <fmt/format.h>

#include "devices/this_device.h"
#include "measure/application_text.h"
#include "measure/keep_run.h"
#include "measure/recorded_run.h"

namespace mete {
namespace {

// "Starts" what already runs, so that it is sampled like everything else. It
// attaches only then: what was used before must not count.
class AttachingLauncher final : public Launcher {
 public:
  AttachingLauncher(const AttachFunction& attach, const AttachTarget& target)
      : attach_(attach), target_(target) {}

  Result<std::unique_ptr<RunningApplication>> Start(
      const LaunchRequest& /*request*/) override {
    auto service = attach_(target_);
    if (!service.ok()) {
      // Unsupported would mean that a limit was rejected.
      return service.error().code() == ErrorCode::kUnsupported
                 ? Unavailable(service.error().message())
                 : service.error();
    }
    workload_ = std::move(service->workload);
    return std::move(service->application);
  }

  // Known once it has started.
  const Workload& workload() const { return workload_; }

 private:
  const AttachFunction& attach_;
  const AttachTarget& target_;
  Workload workload_;
};

// A timeout is the planned end of an observation, and an unknown exit code no
// sign of a crash.
void RestateOutcome(Run& run) {
  const std::string seconds = FormatSeconds(*run.application()->duration);
  switch (run.outcome.kind) {
    case OutcomeKind::kTimedOut:
      run.outcome = {.kind = OutcomeKind::kCompleted,
                     .detail = fmt::format(
                         "observed for {}, and it is still running", seconds)};
      return;
    case OutcomeKind::kInterrupted:
      run.outcome.detail = fmt::format(
          "the observation was stopped after {}; it is still running", seconds);
      return;
    case OutcomeKind::kOutOfMemory:
      return;
    default:
      run.outcome = {
          .kind = OutcomeKind::kCompleted,
          .detail = fmt::format("observed for {} until it ended; only its "
                                "parent gets its exit code",
                                seconds)};
  }
}

// Its output goes where it went before.
void RemoveEmptyLog(Run& run) {
  std::error_code ignored;
  std::filesystem::remove(run.application()->log_file, ignored);
  run.application()->log_file.clear();
}

}  // namespace

Result<ApplicationMeasurement> ObserveService(
    const ObserveRequest& request, const ObserveDependencies& dependencies,
    const ProgressLines& lines, std::stop_token stop) {
  const MeasureApplicationDependencies& measure = dependencies.measure;
  ASSIGN_OR_RETURN(Device device,
                   RegisterThisDevice(measure.runs, measure.platform.host,
                                      measure.platform.clock));
  AttachingLauncher launcher(dependencies.attach, request.target);
  PreparedApplication application{
      .spec = {.timeout = request.duration,
               .grace = Seconds(0),  // nothing has to end
               .sample_hertz = request.sample_hertz,
               .probes = request.probes},
      .device_id = device.id,
      .device_name = device.name,
      .mete_version = request.mete_version,
      .launcher = &launcher,
      .run_id = NewRunId(measure.platform)};
  application.spec.probes.hooks = false;
  const std::filesystem::path folder =
      request.folder.empty() ? measure.runs_folder / application.run_id
                             : request.folder;
  auto report = [&](const ApplicationProgress& progress) {
    if (lines.progress) lines.progress(ProgressText(progress));
  };
  ASSIGN_OR_RETURN(
      ApplicationRun done,
      RecordRun(std::move(application), folder, measure.platform,
                {.progress = report, .warn = lines.warn}, std::move(stop)));
  done.run.workload = launcher.workload();
  RestateOutcome(done.run);
  RemoveEmptyLog(done.run);
  ApplicationMeasurement measured;
  measured.stored = KeepRun(measure.runs, done.run);
  measured.runs.push_back(std::move(done.run));
  return measured;
}

}  // namespace mete
