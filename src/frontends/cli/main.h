// The command line: mete [--store URL] [-o table|json|csv] [-q|-v] VERB …
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/verb.h"
#include "config/settings.h"

namespace mete {

// The environment of the process and how to build its verbs.
struct MainRequest {
  EnvironmentLookup environment;
  std::vector<std::string> variables;  // names of all that are set
  // Adds every verb of the program. Opens no store or connection yet.
  std::function<Verbs(Command root)> add_verbs;
  // Called once, after the command line was parsed and before the verb runs.
  std::function<void(const Settings&)> configure;
};

// Runs the verb named by the arguments and returns the exit code.
int Main(int argc, const char* const* argv, const MainRequest& request);

}  // namespace mete
