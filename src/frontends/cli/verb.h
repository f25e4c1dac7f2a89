// How a verb joins the command line: it declares its flags on a Command and
// says what to run when that was chosen.
#pragma once

#include <functional>
#include <stop_token>
#include <vector>

#include "cli/output.h"
#include "cli/services.h"
#include "config/settings.h"
#include "flags/command.h"
#include "flags/exit_code.h"

namespace mete {

// Everything a verb may use while it runs.
struct Invocation {
  const Settings& settings;
  Services& services;
  Output& output;
  Talk& talk;
  // Requested by the first Ctrl-C; a second one ends the program at once.
  std::stop_token stop;
  Command root;  // for `completion`
  // The words after a "--"; absent without one.
  const std::optional<std::vector<std::string>>& command;
  const EnvironmentLookup& environment;
};

// A leaf of the command tree.
struct Verb {
  Command command;
  std::function<Result<ExitCode>(Invocation&)> run;
  // Honours `stop` and saves what it has; others end at the first Ctrl-C.
  bool interruptible = false;
  bool takes_command = false;  // words after a "--"
};

// A page into the file, or to stdout without one.
Result<ExitCode> DeliverPage(Invocation& invocation, const std::string& page,
                             const std::string& file);

using Verbs = std::vector<Verb>;

// One for each verb; each adds itself and its leaves.
void AddBenchCommand(Command root, Verbs& verbs);
void AddCollectCommand(Command root, Verbs& verbs);
void AddCalibrateCommand(Command root, Verbs& verbs);
void AddCompletionCommand(Command root, Verbs& verbs);
void AddConfigCommand(Command root, Verbs& verbs);
void AddControlCommand(Command root, Verbs& verbs);
void AddDescribeCommand(Command root, Verbs& verbs);
void AddDevicesCommand(Command root, Verbs& verbs);
void AddDoctorCommand(Command root, Verbs& verbs);
void AddJobsCommand(Command root, Verbs& verbs);
void AddMeasureCommand(Command root, Verbs& verbs);
void AddPredictCommand(Command root, Verbs& verbs);
void AddReportCommand(Command root, Verbs& verbs);
void AddRunsCommand(Command root, Verbs& verbs);
void AddSessionCommand(Command root, Verbs& verbs);
void AddServeCommand(Command root, Verbs& verbs);
void AddSweepCommand(Command root, Verbs& verbs);
void AddTrainCommand(Command root, Verbs& verbs);
void AddZooCommand(Command root, Verbs& verbs);

}  // namespace mete
