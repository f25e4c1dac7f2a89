#include "wiring/commands.h"

#include "cli/describe_command.h"
#include "cli/doctor_command.h"
#include "cli/measure_command.h"
#include "cli/session_command.h"
#include "cli/sweep_command.h"
#include "cli/unconverted_commands.h"
#include "wiring/measure_dependencies.h"

namespace mete {

Verbs AddVerbs(Command root, const std::unique_ptr<Services>& system) {
  Verbs verbs;
  AddDescribeCommand(root, verbs, [&system]() -> Result<DescribeDependencies> {
    return DescribeDependencies{.reader = system->Reader()};
  });
  AddMeasureCommand(
      root, verbs, [&system] { return ForNetworks(*system); },
      [&system] { return ForApplications(*system); });
  AddCollectCommand(root, verbs);
  AddTrainCommand(root, verbs);
  AddPredictCommand(root, verbs);
  AddCalibrateCommand(root, verbs);
  AddSweepCommand(root, verbs, [&system] { return ForSweeps(*system); });
  AddControlCommand(root, verbs);
  AddServeCommand(root, verbs, [&system] { return ForServer(*system); });
  AddSessionCommand(root, verbs, [&system] { return ForSessions(*system); });
  AddJobsCommand(
      root, verbs, [&system] { return ForJobs(*system); },
      [&system] { return ForWorkers(*system); });
  AddZooCommand(root, verbs);
  AddRunsCommand(root, verbs);
  AddReportCommand(root, verbs);
  AddDevicesCommand(root, verbs);
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
