// How a verb is added to the command line: it declares its flags on a Command
// and provides the function to run.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "cli/output.h"
#include "config/settings.h"
#include "flags/command.h"
#include "flags/exit_code.h"
#include "support/result.h"

namespace mete {

// Everything a verb may use while it runs.
struct Invocation {
  const Settings& settings;
  Output& output;
  Console& console;
  // Requested by the first Ctrl-C; a second one ends the program at once.
  std::stop_token stop;
  Command root;  // for `completion`
  // The arguments after "--"; absent without it.
  const std::optional<std::vector<std::string>>& command;
  const EnvironmentLookup& environment;
  bool page = false;  // print an HTML page (-o html)
};

// A command that can be run: a leaf of the command tree.
struct Verb {
  Command command;
  std::function<Result<ExitCode>(Invocation&)> run;
  // The verb honours `stop` and saves partial results. Other verbs end at the
  // first Ctrl-C.
  bool interruptible = false;
  bool takes_command = false;  // arguments after "--"
  // The verb only reads the store, so a store that does not exist is a mistake,
  // unless it is the default one.
  bool reads_store = false;
  bool prints_pages = false;  // accepts -o html
};

// Writes a page to the file, or to stdout without one.
Result<ExitCode> DeliverPage(Invocation& invocation, const std::string& page,
                             const std::string& file);

// Input that the caller has to correct is wrong usage: prints the error and
// returns kUsage for kInvalidInput. Leaves all other results alone.
Result<ExitCode> UsageIfInvalid(Invocation& invocation,
                                Result<ExitCode> result);

using Verbs = std::vector<Verb>;

// Makes the dependencies of a command when it runs, so that `mete --version`
// opens no store. Wiring provides real ones, tests provide fakes.
template <typename Dependencies>
using Lazy = std::function<Result<Dependencies>()>;

}  // namespace mete
