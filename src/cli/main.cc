#include "cli/main.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <iostream>
#include <new>

#include "cli/interrupt.h"
#include "cli/usage.h"
#include "cli/verb.h"
#include "cli/version.h"

namespace mete {
namespace {

// Flags that may stand before or after the verb.
struct GlobalFlags {
  std::string store;
  std::string output;
  std::string config;
  bool quiet = false;
  bool verbose = false;
};

void AddGlobalFlags(CLI::App& root, GlobalFlags& flags) {
  root.add_option("--store", flags.store, "Where runs are kept: sqlite:PATH");
  root.add_option("-o,--output", flags.output,
                  "What to print: table, json or csv");
  root.add_option("--config", flags.config, "Configuration file (YAML)");
  auto* quiet = root.add_flag("-q,--quiet", flags.quiet, "Only errors");
  root.add_flag("-v,--verbose", flags.verbose, "More talk")->excludes(quiet);
  root.set_version_flag("--version", std::string("mete ") + kVersion,
                        "Print the version");
}

Verbs AddVerbs(CLI::App& root) {
  Verbs verbs;
  AddDescribeCommand(root, verbs);
  AddMeasureCommand(root, verbs);
  AddZooCommand(root, verbs);
  AddRunsCommand(root, verbs);
  AddDevicesCommand(root, verbs);
  AddDoctorCommand(root, verbs);
  AddConfigCommand(root, verbs);
  AddCompletionCommand(root, verbs);
  return verbs;
}

Result<Settings> LoadSettings(const GlobalFlags& flags,
                              const EnvironmentLookup& environment) {
  SettingSources sources{.environment = environment};
  if (!flags.config.empty()) sources.file = flags.config;
  ASSIGN_OR_RETURN(Settings settings, Settings::Load(sources));
  if (!flags.store.empty()) {
    RETURN_IF_ERROR(settings.SetFlag("store", flags.store).While("--store"));
  }
  if (!flags.output.empty()) {
    RETURN_IF_ERROR(settings.SetFlag("output", flags.output).While("-o"));
  }
  return settings;
}

Talk::Terminal DetectTerminal(const EnvironmentLookup& environment) {
  bool dumb = environment("TERM") == "dumb";  // knows no control sequences
  Talk::Terminal terminal{.interactive = isatty(STDERR_FILENO) == 1 && !dumb};
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    terminal.columns = size.ws_col;
  }
  return terminal;
}

const Verb* ChosenVerb(const Verbs& verbs) {
  for (const Verb& verb : verbs) {
    if (verb.app->parsed()) return &verb;
  }
  return nullptr;
}

int Fail(const std::string& message, ExitCode code) {
  std::cerr << "mete: " << message << '\n';
  return static_cast<int>(code);
}

// A file can ask for more than there is; that is its error, not a crash.
Result<ExitCode> RunWithinMemory(const Verb& verb, Invocation& invocation) {
  try {
    return verb.run(invocation);
  } catch (const std::bad_alloc&) {
    return Unavailable("out of memory");
  }
}

int RunVerb(const Verb& verb, const GlobalFlags& flags, const CLI::App& root,
            const MainRequest& request) {
  Result<Settings> settings = LoadSettings(flags, request.environment);
  if (!settings.ok()) {
    return Fail(settings.error().message(), ExitCode::kUsage);
  }
  InterruptWatch interrupt;
  if (verb.interruptible) interrupt.HonourStop();
  Verbosity verbosity = flags.quiet     ? Verbosity::kQuiet
                        : flags.verbose ? Verbosity::kVerbose
                                        : Verbosity::kNormal;
  Talk talk(std::cerr, verbosity, DetectTerminal(request.environment));
  Output output(std::cout, ParseOutputFormat(settings->Text("output")));
  std::unique_ptr<Services> services = request.make_services(*settings);
  Invocation invocation{.settings = *settings,
                        .services = *services,
                        .output = output,
                        .talk = talk,
                        .stop = interrupt.token(),
                        .root = root,
                        .environment = request.environment};
  Result<ExitCode> code = RunWithinMemory(verb, invocation);
  if (code.ok() && !output.complete()) {
    code = Unavailable("write the result: the output is full or closed");
  }
  if (code.ok()) return static_cast<int>(*code);
  talk.Error(code.error().message());
  bool interrupted = code.error().code() == ErrorCode::kInterrupted;
  return static_cast<int>(interrupted ? ExitCode::kInterrupted
                                      : ExitCode::kError);
}

}  // namespace

CLI::App* AddSubcommand(CLI::App& parent, const std::string& name,
                        const std::string& description,
                        const std::string& example) {
  CLI::App* app = parent.add_subcommand(name, description);
  app->fallthrough();
  app->footer(
      "Every verb takes -o table|json|csv, --store, --config, -q, -v.\n\n"
      "Example:\n  " +
      example);
  return app;
}

int Main(int argc, const char* const* argv, const MainRequest& request) {
  CLI::App root("mete measures how networks run on devices.", "mete");
  root.footer(
      "Example:\n"
      "  mete zoo build nets --only mobilenet-v2\n"
      "  mete measure nets/mobilenet-v2.onnx\n\n"
      "mete VERB --help explains a verb.");
  root.get_formatter()->column_width(28);
  GlobalFlags flags;
  AddGlobalFlags(root, flags);
  Verbs verbs = AddVerbs(root);
  try {
    root.parse(argc, argv);
  } catch (const CLI::Success& done) {  // --help, --version
    return root.exit(done);
  } catch (const CLI::ParseError& error) {
    return Fail(ExplainUsageError(root, error), ExitCode::kUsage);
  }
  const Verb* verb = ChosenVerb(verbs);
  if (verb == nullptr) {
    std::cerr << root.help();
    return static_cast<int>(ExitCode::kUsage);
  }
  return RunVerb(*verb, flags, root, request);
}

}  // namespace mete
