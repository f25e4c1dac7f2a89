#include "wiring/collect_dependencies.h"

#include "cli/run_entropy.h"
#include "devices/this_device.h"
#include "ports/engine.h"
#include "ports/host.h"
#include "predict/predictor_files.h"

namespace mete {
namespace {

Result<EngineVersion> VersionOfEngine(System& system) {
  ASSIGN_OR_RETURN(Engine * engine, system.TheEngine());
  return engine->version();
}

}  // namespace

ControllerDependencies ForController(System& system) {
  return {.open_agent =
              [&system](const std::string& url) {
                return system.AgentSeriesAt(url);
              },
          .open_prometheus =
              [&system](const std::string& url) {
                return system.PrometheusSeriesAt(url);
              },
          .new_actuator = [&system] { return system.NewActuator(); },
          .new_notifier = [&system] { return system.NewNotifier(); },
          .clock = system.TheClock()};
}

Result<CollectDependencies> ForCollecting(System& system) {
  ASSIGN_OR_RETURN(RunStore * store, system.Store());
  return CollectDependencies{
      .store = *store,
      .testbeds = system.Testbeds(),
      .reader = system.Reader(),
      .writer = system.Writer(),
      .host = system.ThisHost(),
      .clock = system.TheClock(),
      .new_machine_probe = [&system] { return system.NewMachineProbe(); },
      .draw_entropy = DrawRunEntropy,
      .engine_version = [&system] { return VersionOfEngine(system); }};
}

Result<CollectCluster> ForCollectingOnCluster(System& system) {
  ASSIGN_OR_RETURN(RunStore * store, system.Store());
  return CollectCluster{.store = *store, .launchers = system.TheLaunchers()};
}

Result<DevicesDependencies> ForDevices(System& system) {
  ASSIGN_OR_RETURN(RunStore * store, system.Store());
  return DevicesDependencies{
      .measuring = {.store = *store,
                    .testbeds = system.Testbeds(),
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

Result<CalibrateDependencies> ForCalibration(System& system) {
  ASSIGN_OR_RETURN(CollectDependencies collecting, ForCollecting(system));
  return CalibrateDependencies{
      .collecting = std::move(collecting),
      .trained_predictor = [&system] { return system.TrainedPredictor(); },
      .folder = system.PredictorsFolder()};
}

MachineDependencies ForThisMachine(System& system) {
  MachineDependencies needs{
      .collecting = [&system] { return ForCollecting(system); }};
  if (!system.WatchedByPrometheus()) {
    needs.register_this_device = [&system]() -> Result<Device> {
      ASSIGN_OR_RETURN(RunStore * store, system.Store());
      return RegisterThisDevice(*store, system.ThisHost(), system.TheClock());
    };
  }
  return needs;
}

PredictCommandDependencies ForPrediction(System& system) {
  PredictCommandDependencies needs{
      .reader = system.Reader(),
      .predictors = [&system] { return system.Predictors(); },
      .nodes = [&system] { return system.Nodes(); },
      .machine = ForThisMachine(system),
      .folder = system.PredictorsFolder()};
  return needs;
}

}  // namespace mete
