#include "measure/measure_application.h"

#include <fmt/format.h>

#include "devices/this_device.h"
#include "measure/application_text.h"
#include "measure/keep_run.h"
#include "measure/prepare_application.h"
#include "measure/recorded_run.h"
#include "measure/speed_history.h"

namespace mete {
namespace {

std::filesystem::path FolderFor(const MeasureApplicationRequest& request,
                                const std::filesystem::path& runs_folder,
                                uint64_t repeat, const std::string& run_id) {
  if (request.folder.empty()) return runs_folder / run_id;
  if (request.application.repeat == 1) return request.folder;
  return request.folder / std::to_string(repeat);
}

// Makes one run with its files but does not store it.
Result<Run> RunOnce(const MeasureApplicationRequest& request,
                    const MeasureApplicationDependencies& dependencies,
                    PreparedApplication application, uint64_t repeat,
                    const ProgressLines& lines, std::stop_token stop) {
  application.run_id = NewRunId(dependencies.platform);
  application.check_machine = repeat == 1;
  auto folder =
      FolderFor(request, dependencies.runs_folder, repeat, application.run_id);
  const uint64_t all = request.application.repeat;
  std::string which = all > 1 ? fmt::format("{} of {}: ", repeat, all) : "";
  ASSIGN_OR_RETURN(
      ApplicationRun done,
      RecordRun(std::move(application), folder, dependencies.platform,
                {.progress =
                     [&](const ApplicationProgress& progress) {
                       if (!lines.progress) return;
                       lines.progress(which + ProgressText(progress));
                     },
                 .warn = lines.warn},
                std::move(stop)));
  return std::move(done.run);
}

// Whether every further run would end the same way.
bool IsPointless(const Run& run) {
  return run.outcome.kind == OutcomeKind::kInterrupted ||
         run.outcome.kind == OutcomeKind::kRejected;
}

}  // namespace

Result<ApplicationMeasurement> MeasureApplication(
    MeasureApplicationRequest request,
    const MeasureApplicationDependencies& dependencies,
    const ProgressLines& lines, std::stop_token stop) {
  const ApplicationDependencies& platform = dependencies.platform;
  ASSIGN_OR_RETURN(
      Device device,
      RegisterThisDevice(dependencies.runs, platform.host, platform.clock));
  ApplicationSpec& spec = request.application;
  if (!spec.container) {
    ASSIGN_OR_RETURN(spec.command, WithTorchFound(std::move(spec.command),
                                                  dependencies.torch));
  }
  ASSIGN_OR_RETURN(
      PreparedApplication application,
      PrepareApplication(spec,
                         {.device = device,
                          .mete_version = request.mete_version,
                          .allow_privileged = request.allow_privileged},
                         platform, lines.progress, stop));
  ApplicationMeasurement measured;
  std::chrono::system_clock::time_point began;
  for (uint64_t repeat = 1; repeat <= spec.repeat; ++repeat) {
    ASSIGN_OR_RETURN(Run run, RunOnce(request, dependencies, application,
                                      repeat, lines, stop));
    if (repeat == 1) began = run.started_at;
    NoteEarlierSpeed(dependencies.runs, began, run);
    measured.stored = KeepRun(dependencies.runs, run);
    measured.runs.push_back(std::move(run));
    if (!measured.stored.ok() || IsPointless(measured.runs.back())) break;
  }
  return measured;
}

}  // namespace mete
