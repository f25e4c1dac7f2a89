#include "wiring/commands.h"

#include "cli/analyze_command.h"
#include "cli/bench_command.h"
#include "cli/calibrate_command.h"
#include "cli/collect_command.h"
#include "cli/compare_command.h"
#include "cli/completion_command.h"
#include "cli/config_command.h"
#include "cli/contend_command.h"
#include "cli/control_command.h"
#include "cli/describe_command.h"
#include "cli/devices_command.h"
#include "cli/doctor_command.h"
#include "cli/jobs_command.h"
#include "cli/load_command.h"
#include "cli/measure_command.h"
#include "cli/place_command.h"
#include "cli/predict_command.h"
#include "cli/report_command.h"
#include "cli/runs_command.h"
#include "cli/serve_command.h"
#include "cli/service_command.h"
#include "cli/session_command.h"
#include "cli/sweep_command.h"
#include "cli/train_command.h"
#include "cli/trial_command.h"
#include "cli/watch_command.h"
#include "cli/zoo_command.h"
#include "wiring/collect_dependencies.h"
#include "wiring/contend_dependencies.h"
#include "wiring/measure_dependencies.h"
#include "wiring/place_dependencies.h"
#include "wiring/system.h"
#include "wiring/watch_dependencies.h"

namespace mete {

Verbs AddVerbs(Command root, const std::unique_ptr<System>& system) {
  Verbs verbs;
  AddDescribeCommand(root, verbs, [&system]() -> Result<DescribeDependencies> {
    return DescribeDependencies{.reader = system->Reader()};
  });
  AddMeasureCommand(
      root, verbs, [&system] { return ForNetworks(*system); },
      [&system] { return ForApplications(*system); },
      [&system] { return ForServices(*system); });
  AddCompareCommand(root, verbs,
                    [&system] { return ForApplications(*system); });
  AddLoadCommand(root, verbs, [&system]() -> Result<LoadCommandDependencies> {
    return ForLoading(*system);
  });
  AddTrialCommand(root, verbs, [&system] { return ForApplications(*system); });
  AddCollectCommand(
      root, verbs, [&system] { return ForCollecting(*system); },
      [&system] { return ForCollectingOnCluster(*system); });
  AddContendCommand(root, verbs, [&system] { return ForContending(*system); });
  AddTrainCommand(root, verbs, [&system]() -> Result<TrainCommandDependencies> {
    return TrainCommandDependencies{
        .training = {.store = [&system] { return system->Store(); },
                     .clock = system->TheClock()},
        .folder = system->PredictorsFolder(),
        .torch = system->Torch()};
  });
  AddPredictCommand(root, verbs,
                    [&system]() -> Result<PredictCommandDependencies> {
                      return ForPrediction(*system);
                    });
  AddPlaceCommand(root, verbs, [&system] { return ForPlacing(*system); });
  AddCalibrateCommand(root, verbs,
                      [&system] { return ForCalibration(*system); });
  AddSweepCommand(
      root, verbs,
      [&system]() -> Result<SweepQuestionsDependencies> {
        return SweepQuestionsDependencies{.host = system->ThisHost(),
                                          .torch = system->Torch()};
      },
      [&system] { return ForSweeps(*system); });
  AddAnalyzeCommand(root, verbs);
  AddControlCommand(root, verbs, [&system]() -> Result<ControllerDependencies> {
    return ForController(*system);
  });
  AddWatchCommand(root, verbs, [&system] { return ForWatching(*system); });
  AddServeCommand(root, verbs, [&system] { return ForServer(*system); });
  AddServiceCommand(root, verbs,
                    [&system]() -> Result<ServiceCommandDependencies> {
                      return ForServing(*system);
                    });
  AddSessionCommand(
      root, verbs, [&system] { return ForSessions(*system); },
      [&system]() -> Result<NetworkCheck> { return system->Networks().check; });
  AddJobsCommand(
      root, verbs, [&system] { return ForJobs(*system); },
      [&system] { return ForWorkers(*system); });
  AddZooCommand(root, verbs, [&system]() -> Result<ZooDependencies> {
    return ZooDependencies{.writer = system->Writer()};
  });
  AddRunsCommand(root, verbs, [&system]() -> Result<RunsDependencies> {
    ASSIGN_OR_RETURN(RunStore * store, system->Store());
    return RunsDependencies{.store = *store};
  });
  AddReportCommand(root, verbs, [&system]() -> Result<ReportDependencies> {
    ASSIGN_OR_RETURN(SweepStore * sweeps, system->Sweeps());
    return ReportDependencies{.sweeps = *sweeps, .plots = system->Plots()};
  });
  AddDevicesCommand(root, verbs, [&system] { return ForDevices(*system); });
  AddDoctorCommand(root, verbs, [&system]() -> Result<DoctorDependencies> {
    return DoctorDependencies{
        .host = system->ThisHost(),
        .probes = system->Probes(),
        .open_engine = [&system] { return system->TheEngine(); }};
  });
  AddConfigCommand(root, verbs);
  AddCompletionCommand(root, verbs);
  AddBenchCommand(root, verbs, [&system]() -> Result<BenchDependencies> {
    return ForBenches(*system);
  });
  return verbs;
}

}  // namespace mete
