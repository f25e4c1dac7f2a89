// How a verb joins the command line: it declares its flags on a CLI11 App and
// says what to run when it was chosen.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "cli/exit_code.h"
#include "cli/output.h"
#include "cli/services.h"
#include "config/settings.h"

namespace mete {

// Everything a verb may use while it runs.
struct Invocation {
  const Settings& settings;
  Services& services;
  Output& output;
  Talk& talk;
  // Requested by the first Ctrl-C; a second one ends the program at once.
  std::stop_token stop;
  const CLI::App& root;  // for `completion`
  const EnvironmentLookup& environment;
};

// A leaf of the command tree.
struct Verb {
  CLI::App* app = nullptr;
  std::function<Result<ExitCode>(Invocation&)> run;
  // Honours `stop` and saves what it has; others end at the first Ctrl-C.
  bool interruptible = false;
};

using Verbs = std::vector<Verb>;

// A subcommand with its description and the example shown by --help. Options
// of the parents (-o, --store, …) may be given after it.
CLI::App* AddSubcommand(CLI::App& parent, const std::string& name,
                        const std::string& description,
                        const std::string& example);

// A CLI11 check made of a parser that returns a Result, so that a bad value
// is a usage error with the parser's own words.
template <typename Parser>
CLI::Validator Checked(Parser parse, const std::string& type_name) {
  return CLI::Validator(
      [parse](const std::string& text) {
        auto parsed = parse(text);
        return parsed.ok() ? std::string() : parsed.error().message();
      },
      type_name);
}

// One for each verb; each adds itself and its leaves.
void AddCompletionCommand(CLI::App& root, Verbs& verbs);
void AddConfigCommand(CLI::App& root, Verbs& verbs);
void AddDescribeCommand(CLI::App& root, Verbs& verbs);
void AddDevicesCommand(CLI::App& root, Verbs& verbs);
void AddDoctorCommand(CLI::App& root, Verbs& verbs);
void AddMeasureCommand(CLI::App& root, Verbs& verbs);
void AddRunsCommand(CLI::App& root, Verbs& verbs);
void AddZooCommand(CLI::App& root, Verbs& verbs);

}  // namespace mete
