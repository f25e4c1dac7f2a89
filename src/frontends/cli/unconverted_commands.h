// Commands that still take their dependencies from Invocation::services.
#pragma once

#include "cli/verb.h"

namespace mete {

void AddCollectCommand(Command root, Verbs& verbs);
void AddCalibrateCommand(Command root, Verbs& verbs);
void AddCompletionCommand(Command root, Verbs& verbs);
void AddConfigCommand(Command root, Verbs& verbs);
void AddControlCommand(Command root, Verbs& verbs);
void AddDevicesCommand(Command root, Verbs& verbs);
void AddPredictCommand(Command root, Verbs& verbs);
void AddReportCommand(Command root, Verbs& verbs);
void AddRunsCommand(Command root, Verbs& verbs);
void AddTrainCommand(Command root, Verbs& verbs);
void AddZooCommand(Command root, Verbs& verbs);

}  // namespace mete
