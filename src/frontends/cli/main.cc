#include "cli/main.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <iostream>
#include <new>

#include "cli/interrupt.h"
#include "cli/require_store.h"
#include "cli/verb.h"
#include "flags/usage.h"
#include "flags/version.h"

namespace mete {
namespace {

// An output format of commands that print pages only, so it is no setting.
constexpr std::string_view kPage = "html";

// Flags that may come before or after the verb.
struct GlobalFlags {
  std::string store;
  std::string output;
  std::string config;
  bool quiet = false;
  bool verbose = false;
};

void AddGlobalFlags(Command root, GlobalFlags& flags) {
  root.Option("--store", flags.store,
              "Database for runs, devices and jobs: sqlite:PATH")
      .Placeholder("sqlite:PATH");
  root.Option("-o,--output", flags.output,
              "Output format: table (default), json or csv")
      .Placeholder("FORMAT");
  root.Option("--config", flags.config, "Configuration file (YAML)")
      .Placeholder("FILE");
  Flag quiet = root.Switch("-q,--quiet", flags.quiet,
                           "Print only the result and errors");
  root.Switch("-v,--verbose", flags.verbose, "Print more details")
      .Excludes(quiet);
}

Result<Settings> LoadSettings(const GlobalFlags& flags,
                              const EnvironmentLookup& environment) {
  SettingSources sources{.environment = environment};
  if (!flags.config.empty()) sources.file = flags.config;
  ASSIGN_OR_RETURN(Settings settings, Settings::Load(sources));
  if (!flags.store.empty()) {
    RETURN_IF_ERROR(settings.SetFlag("store", flags.store).While("--store"));
  }
  if (!flags.output.empty() && flags.output != kPage) {
    RETURN_IF_ERROR(settings.SetFlag("output", flags.output).While("-o"));
  }
  return settings;
}

Console::Terminal DetectTerminal(const EnvironmentLookup& environment) {
  bool dumb = environment("TERM") == "dumb";  // no control sequences
  Console::Terminal terminal{.interactive =
                                 isatty(STDERR_FILENO) == 1 && !dumb};
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    terminal.columns = size.ws_col;
  }
  return terminal;
}

const Verb* ChosenVerb(const Verbs& verbs) {
  for (const Verb& verb : verbs) {
    if (verb.command.chosen()) return &verb;
  }
  return nullptr;
}

int Fail(const std::string& message, ExitCode code,
         const EnvironmentLookup& environment) {
  std::cerr << ForTerminal(WithProgramName("mete", message),
                           DetectTerminal(environment));
  return static_cast<int>(code);
}

// An input file can demand more memory than there is. Report it as an error
// instead of crashing.
Result<ExitCode> RunWithinMemory(const Verb& verb, Invocation& invocation) {
  try {
    return verb.run(invocation);
  } catch (const std::bad_alloc&) {
    return Unavailable("out of memory");
  }
}

int RunVerb(const Verb& verb, const GlobalFlags& flags, Command root,
            const std::optional<std::vector<std::string>>& command,
            const MainRequest& request) {
  Result<Settings> settings = LoadSettings(flags, request.environment);
  if (!settings.ok()) {
    return Fail(settings.error().message(), ExitCode::kUsage,
                request.environment);
  }
  const bool page = flags.output == kPage;
  if (page && !verb.prints_pages) {
    return Fail("-o: this command has no HTML output; use table, json or csv",
                ExitCode::kUsage, request.environment);
  }
  InterruptWatch interrupt;
  if (verb.interruptible) interrupt.HonourStop();
  Verbosity verbosity = flags.quiet     ? Verbosity::kQuiet
                        : flags.verbose ? Verbosity::kVerbose
                                        : Verbosity::kNormal;
  Console console(std::cerr, verbosity, DetectTerminal(request.environment));
  for (const std::string& warning : UnknownVariables(request.variables)) {
    console.Warn(warning);
  }
  Output output(std::cout, ParseOutputFormat(settings->Text("output")),
                isatty(STDOUT_FILENO) == 1 ? OutputTarget::kTerminal
                                           : OutputTarget::kFile);
  request.configure(*settings);
  Invocation invocation{.settings = *settings,
                        .output = output,
                        .console = console,
                        .stop = interrupt.token(),
                        .root = root,
                        .command = command,
                        .environment = request.environment,
                        .page = page};
  Result<ExitCode> code = ExitCode::kDone;
  if (Status found = RequireStore(*settings); verb.reads_store && !found.ok()) {
    code = found.error();
  } else {
    code = RunWithinMemory(verb, invocation);
  }
  if (code.ok() && !output.complete()) {
    code = Unavailable("write the result: the output is full or closed");
  }
  if (code.ok()) return static_cast<int>(*code);
  console.Error(code.error().message());
  bool interrupted = code.error().code() == ErrorCode::kInterrupted;
  return static_cast<int>(interrupted ? ExitCode::kInterrupted
                                      : ExitCode::kError);
}

}  // namespace

int Main(int argc, const char* const* argv, const MainRequest& request) {
  CommandLine line(
      {.name = "mete",
       .description = "Measure how networks and applications run on devices",
       .footer = "Example:\n"
                 "  mete zoo build nets --only mobilenet-v2\n"
                 "  mete measure nets/mobilenet-v2.onnx\n\n"
                 "Exit codes: 0 success, 1 error, 2 usage, 3 limit or "
                 "objective not met,\n"
                 "4 unstable, 130 interrupted\n\n"
                 "See mete COMMAND --help for details.",
       .version = std::string("mete ") + kVersion});
  GlobalFlags flags;
  AddGlobalFlags(line.root(), flags);
  Verbs verbs = request.add_verbs(line.root());
  CommandLine::Reading reading = line.Read(argc, argv);
  if (reading.complaint) {
    return Fail(*reading.complaint, ExitCode::kUsage, request.environment);
  }
  if (reading.help) {
    std::cout << *reading.help;
    return static_cast<int>(ExitCode::kDone);
  }
  const Verb* verb = ChosenVerb(verbs);
  if (verb == nullptr) {
    std::cerr << line.Help();
    return static_cast<int>(ExitCode::kUsage);
  }
  if (reading.command && !verb->takes_command) {
    return Fail(
        "only measure, compare, sweep and jobs submit take a command after --",
        ExitCode::kUsage, request.environment);
  }
  return RunVerb(*verb, flags, line.root(), reading.command, request);
}

}  // namespace mete
