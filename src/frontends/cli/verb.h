// How a verb joins the command line: it declares its flags on a Command and
// says what to run when that was chosen.
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

// What a command needs from outside, made when it runs: `mete --version` opens
// no store. Wiring fills these in; tests fill in fakes.
template <typename Dependencies>
using Lazy = std::function<Result<Dependencies>()>;

}  // namespace mete
