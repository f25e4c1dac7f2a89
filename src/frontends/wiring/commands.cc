#include "wiring/commands.h"

#include "cli/bench_command.h"
#include "cli/calibrate_command.h"
#include "cli/collect_command.h"
#include "cli/completion_command.h"
#include "cli/config_command.h"
#include "cli/control_command.h"
#include "cli/describe_command.h"
#include "cli/devices_command.h"
#include "cli/doctor_command.h"
#include "cli/jobs_command.h"
#include "cli/measure_command.h"
#include "cli/predict_command.h"
#include "cli/report_command.h"
#include "cli/run_entropy.h"
#include "cli/runs_command.h"
#include "cli/serve_command.h"
#include "cli/session_command.h"
#include "cli/sweep_command.h"
#include "cli/train_command.h"
#include "cli/zoo_command.h"
#include "devices/this_device.h"
#include "ports/engine.h"
#include "ports/host.h"
#include "predict/predictor_files.h"
#include "wiring/control_dependencies.h"
#include "wiring/measure_dependencies.h"
#include "wiring/system.h"

namespace mete {
namespace {

Result<EngineVersion> VersionOfEngine(System& system) {
  ASSIGN_OR_RETURN(Engine * engine, system.TheEngine());
  return engine->version();
}

Result<CollectDependencies> CollectNeeds(System& system) {
  ASSIGN_OR_RETURN(RunStore * store, system.Store());
  return CollectDependencies{
      .store = *store,
      .benches = system.Benches(),
      .reader = system.Reader(),
      .writer = system.Writer(),
      .host = system.ThisHost(),
      .clock = system.TheClock(),
      .new_machine_probe = [&system] { return system.NewMachineProbe(); },
      .draw_entropy = DrawRunEntropy,
      .engine_version = [&system] { return VersionOfEngine(system); }};
}

Result<DevicesDependencies> DevicesNeeds(System& system) {
  ASSIGN_OR_RETURN(RunStore * store, system.Store());
  return DevicesDependencies{
      .measuring = {.store = *store,
                    .benches = system.Benches(),
                    .host = system.ThisHost(),
                    .writer = system.Writer(),
                    .clock = system.TheClock(),
                    .engine_version =
                        [&system] { return VersionOfEngine(system); }},
      .removing = {.store = *store,
                   .remove_calibration = [&system](const std::string& name) {
                     return RemoveCalibration(system.PredictorsFolder(), name);
                   }}};
}

Result<CalibrateDependencies> CalibrateNeeds(System& system) {
  ASSIGN_OR_RETURN(CollectDependencies collecting, CollectNeeds(system));
  return CalibrateDependencies{
      .collecting = std::move(collecting),
      .trained_predictor = [&system] { return system.TrainedPredictor(); },
      .folder = system.PredictorsFolder()};
}

PredictCommandDependencies PredictNeeds(System& system) {
  PredictCommandDependencies needs{
      .reader = system.Reader(),
      .predictors = [&system] { return system.Predictors(); },
      .nodes = [&system] { return system.Nodes(); },
      .collecting = [&system] { return CollectNeeds(system); }};
  if (!system.WatchedByPrometheus()) {
    needs.register_this_device = [&system]() -> Status {
      ASSIGN_OR_RETURN(RunStore * store, system.Store());
      RETURN_IF_ERROR(
          RegisterThisDevice(*store, system.ThisHost(), system.TheClock()));
      return {};
    };
  }
  return needs;
}

}  // namespace

Verbs AddVerbs(Command root, const std::unique_ptr<System>& system) {
  Verbs verbs;
  AddDescribeCommand(root, verbs, [&system]() -> Result<DescribeDependencies> {
    return DescribeDependencies{.reader = system->Reader()};
  });
  AddMeasureCommand(
      root, verbs, [&system] { return ForNetworks(*system); },
      [&system] { return ForApplications(*system); });
  AddCollectCommand(root, verbs, [&system] { return CollectNeeds(*system); });
  AddTrainCommand(root, verbs, [&system]() -> Result<TrainCommandDependencies> {
    return TrainCommandDependencies{
        .training = {.store = [&system] { return system->Store(); },
                     .clock = system->TheClock()},
        .folder = system->PredictorsFolder()};
  });
  AddPredictCommand(root, verbs,
                    [&system]() -> Result<PredictCommandDependencies> {
                      return PredictNeeds(*system);
                    });
  AddCalibrateCommand(root, verbs,
                      [&system] { return CalibrateNeeds(*system); });
  AddSweepCommand(root, verbs, [&system] { return ForSweeps(*system); });
  AddControlCommand(root, verbs, [&system]() -> Result<ControllerDependencies> {
    return ForControl(*system);
  });
  AddServeCommand(root, verbs, [&system] { return ForServer(*system); });
  AddSessionCommand(root, verbs, [&system] { return ForSessions(*system); });
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
  AddDevicesCommand(root, verbs, [&system] { return DevicesNeeds(*system); });
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
