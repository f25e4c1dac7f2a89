// mete contend: measures how services that run side by side slow each other
// down.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/verb.h"
#include "contend/run_campaign.h"

namespace mete {

// What the command needs besides the use case.
struct ContendCommandDependencies {
  ContendDependencies campaign;
  // The applications that services can run by name.
  std::vector<std::string> applications;
};

void AddContendCommand(Command root, Verbs& verbs,
                       Lazy<ContendCommandDependencies> dependencies);

}  // namespace mete
