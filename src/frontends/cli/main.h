// The command line: mete [--store URL] [-o table|json|csv] [-q|-v] VERB …
#pragma once

#include <functional>
#include <memory>

#include "cli/services.h"
#include "config/settings.h"

namespace mete {

// Makes the outside for the given settings. Called once, after the command
// line was understood.
using ServicesFactory =
    std::function<std::unique_ptr<Services>(const Settings&)>;

struct MainRequest {
  EnvironmentLookup environment;
  std::vector<std::string> variables;  // the names of all that are set
  ServicesFactory make_services;
};

// Runs the verb that the arguments choose; returns the exit code.
int Main(int argc, const char* const* argv, const MainRequest& request);

}  // namespace mete
