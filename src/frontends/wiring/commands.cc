#include "wiring/commands.h"

#include "cli/completion_command.h"
#include "cli/config_command.h"
#include "cli/control_command.h"
#include "cli/describe_command.h"
#include "cli/doctor_command.h"
#include "cli/report_command.h"
#include "cli/runs_command.h"
#include "cli/unconverted_commands.h"
#include "cli/zoo_command.h"

namespace mete {
namespace {

ControllerDependencies ControllerNeeds(Services& system) {
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

}  // namespace

Verbs AddVerbs(Command root, const std::unique_ptr<Services>& system) {
  Verbs verbs;
  AddDescribeCommand(root, verbs, [&system]() -> Result<DescribeDependencies> {
    return DescribeDependencies{.reader = system->Reader()};
  });
  AddMeasureCommand(root, verbs);
  AddCollectCommand(root, verbs);
  AddTrainCommand(root, verbs);
  AddPredictCommand(root, verbs);
  AddCalibrateCommand(root, verbs);
  AddSweepCommand(root, verbs);
  AddControlCommand(root, verbs, [&system]() -> Result<ControllerDependencies> {
    return ControllerNeeds(*system);
  });
  AddServeCommand(root, verbs);
  AddSessionCommand(root, verbs);
  AddJobsCommand(root, verbs);
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
  AddDevicesCommand(root, verbs);
  AddDoctorCommand(root, verbs, [&system]() -> Result<DoctorDependencies> {
    return DoctorDependencies{
        .host = system->ThisHost(),
        .probes = system->Probes(),
        .open_engine = [&system] { return system->TheEngine(); }};
  });
  AddConfigCommand(root, verbs);
  AddCompletionCommand(root, verbs);
  AddBenchCommand(root, verbs);
  return verbs;
}

}  // namespace mete
