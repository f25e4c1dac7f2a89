#include "wiring/commands.h"

#include "cli/describe_command.h"
#include "cli/doctor_command.h"
#include "cli/unconverted_commands.h"

namespace mete {

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
  AddControlCommand(root, verbs);
  AddServeCommand(root, verbs);
  AddSessionCommand(root, verbs);
  AddJobsCommand(root, verbs);
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
  AddBenchCommand(root, verbs);
  return verbs;
}

}  // namespace mete
