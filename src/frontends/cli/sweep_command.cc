// mete sweep: finds the minimum memory and CPU a workload needs.
#include "cli/sweep_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/application_flags.h"
#include "cli/network_flags.h"
#include "cli/run_output.h"
#include "cli/sweep_questions.h"
#include "cli/terminal_dialogue.h"
#include "domain/sweep_json.h"
#include "flags/version.h"
#include "measure/application_bounds.h"
#include "support/file.h"
#include "support/json.h"
#include "support/text.h"
#include "sweep/reference_workload.h"
#include "sweep/sweep_text.h"

namespace mete {
namespace {

struct SweepFlags {
  std::string network;
  std::vector<std::string> command;  // the arguments after "--"
  std::optional<std::string> memory;
  std::optional<std::string> cpus;
  std::string search = "linear";
  std::optional<uint64_t> repeat;
  uint64_t confirm = 3;
  std::string resolution = "1Mi";
  uint64_t iterations = 100;
  int threads = 1;      // of a network's engine
  NetworkFlags inputs;  // only the flags of inputs and of the engine
  std::string export_csv;
  bool warm = false;
  std::optional<double> slowdown;
  std::optional<std::string> objective;
};

// One value is a limit for every run; two or three values define a sweep.
struct GivenRange {
  LimitRange range;
  bool swept = false;
};

template <typename Parse>
Result<GivenRange> ParseRange(const std::string& text, Parse parse) {
  std::vector<std::string> parts = SplitAt(text, ':');
  if (parts.size() > 3) {
    return InvalidInput("'" + text + "': expected FROM:TO or FROM:TO:STEP");
  }
  std::vector<uint64_t> values;
  for (const std::string& part : parts) {
    ASSIGN_OR_RETURN(auto value, parse(part));
    values.push_back(static_cast<uint64_t>(value.count));
  }
  GivenRange given{.range = {.from = values[0], .to = values.back()},
                   .swept = values.size() > 1};
  if (given.swept) given.range.to = values[1];
  if (values.size() == 3) given.range.step = values[2];
  if (!given.swept && values[0] == 0) return InvalidInput("must be positive");
  if (values.size() == 3 && values[2] == 0) {
    return InvalidInput("'" + text + "': the step must be positive");
  }
  return given;
}

// Like the limit of mete measure: 64 without a unit is a mistake. A step of 0
// has its own message.
Result<Bytes> ParseMemoryValue(const std::string& text) {
  if (text == "0") return Bytes{};
  return ParseMemoryLimit(text);
}

Result<GivenRange> ParseMemoryRange(const std::string& text) {
  return ParseRange(text, ParseMemoryValue);
}
Result<GivenRange> ParseCpuRange(const std::string& text) {
  return ParseRange(text, ParseMillicores);
}

// Fills the plan and the limits that apply to every run.
Status ReadRanges(const SweepFlags& flags, SweepPlan& plan, Limits& limits) {
  if (flags.memory) {
    ASSIGN_OR_RETURN(GivenRange memory, ParseMemoryRange(*flags.memory));
    if (memory.swept) {
      plan.memory = memory.range;
    } else {
      limits.memory = Bytes{memory.range.from};
    }
  }
  if (flags.cpus) {
    ASSIGN_OR_RETURN(GivenRange cpus, ParseCpuRange(*flags.cpus));
    if (cpus.swept) {
      plan.cpus = cpus.range;
    } else {
      limits.cpus = Millicores{static_cast<int64_t>(cpus.range.from)};
    }
  }
  return {};
}

// "p95=50ms"
Result<StepObjective> ParseStepObjective(const std::string& text) {
  const std::vector<std::string> statistics = {"mean", "p50", "p95", "p99"};
  size_t equals = text.find('=');
  StepObjective objective{.statistic = text.substr(0, equals)};
  if (equals == std::string::npos ||
      std::ranges::find(statistics, objective.statistic) == statistics.end()) {
    return InvalidInput(fmt::format(
        "'{}' is not an objective; write it like p95=50ms (mean, p50, p95 or "
        "p99)",
        text));
  }
  ASSIGN_OR_RETURN(auto bound, ParseDuration(text.substr(equals + 1)));
  objective.at_most = bound;
  if (objective.at_most <= Seconds(0)) {
    return InvalidInput("'" + text + "' must be positive");
  }
  return objective;
}

// Unless the user says otherwise, memory limits that make a workload unusably
// slow do not count as working. CPU limits are expected to slow it down.
constexpr double kUsualSlowdown = 2;

// Makes the plan and the limits that apply to every run.
Result<SweepPlan> MakePlan(const SweepFlags& flags, Limits& limits) {
  SweepPlan plan{.confirm = flags.confirm,
                 .cold = !flags.warm,
                 .slowdown = flags.slowdown};
  if (plan.slowdown && *plan.slowdown < 1) {
    return InvalidInput("--slowdown: must be at least 1");
  }
  if (flags.objective) {
    ASSIGN_OR_RETURN(plan.objective, ParseStepObjective(*flags.objective));
  }
  ASSIGN_OR_RETURN(plan.search, ParseSweepSearch(flags.search));
  RETURN_IF_ERROR(ReadRanges(flags, plan, limits));
  if (plan.memory && !plan.slowdown) plan.slowdown = kUsualSlowdown;
  const bool network =
      !flags.network.empty() || IsTorchInference(flags.command);
  plan.repeat = flags.repeat.value_or(UsualRepeat(plan, network));
  ASSIGN_OR_RETURN(Bytes resolution, ParseBytes(flags.resolution));
  if (resolution.count == 0)
    return InvalidInput("--resolution: must be positive");
  FillSteps(resolution, plan);
  RETURN_IF_ERROR(CheckPlan(plan));
  return plan;
}

Result<SweepOrder> OrderFor(const SweepFlags& flags,
                            const ApplicationFlags& application) {
  SweepOrder order{.allow_privileged = application.allow_privileged,
                   .mete_version = kVersion};
  ASSIGN_OR_RETURN(order.application, MakeSpec(application, flags.command));
  ASSIGN_OR_RETURN(order.plan, MakePlan(flags, order.application.limits));
  if (!flags.network.empty()) {
    NetworkOptions options = MakeNetworkOptions(flags.inputs);
    options.network = flags.network;
    ASSIGN_OR_RETURN(MeasureRequest request, MakeMeasureRequest(options, {}));
    order.network = InferRequest{.network = flags.network,
                                 .threads = flags.threads,
                                 .iterations = flags.iterations,
                                 .inputs = std::move(request.inputs),
                                 .engine = std::move(request.engine)};
  }
  return order;
}

ExitCode ExitCodeFor(const Sweep& sweep) {
  if (!sweep.finished) return ExitCode::kInterrupted;
  bool any = false;
  for (const SweepPoint& point : sweep.points) any = any || point.worked;
  return any ? ExitCode::kDone : ExitCode::kInfeasible;
}

void Print(Invocation& invocation, const Sweep& sweep) {
  invocation.output.Print({
      .text = [&] { return SweepText(sweep); },
      .json = [&] { return SweepAnswerJson(sweep); },
      .csv = [&] { return SweepCsv(sweep); },
  });
}

Result<ExitCode> SweepIt(Invocation& invocation, const SweepFlags& flags,
                         const ApplicationFlags& application,
                         const SweepDependencies& dependencies) {
  Console& console = invocation.console;
  if (!flags.export_csv.empty()) {
    RETURN_IF_ERROR(CheckWritable(flags.export_csv));
  }
  ASSIGN_OR_RETURN(SweepOrder order, OrderFor(flags, application));
  auto done = SweepWorkload(
      order, dependencies,
      {.lines = LinesTo(console),
       .resumed =
           [&](const Sweep& sweep) {
             console.Note(fmt::format("resuming sweep {}; runs done: {}",
                                      sweep.id, sweep.points.size()));
           }},
      invocation.stop);
  console.ClearProgress();
  if (!done.ok()) return done.error();
  const Sweep& sweep = done->sweep;
  Print(invocation, sweep);
  RETURN_IF_ERROR(done->stored);
  if (!flags.export_csv.empty()) {
    ASSIGN_OR_RETURN(std::string csv, PredecessorCsv(sweep));
    RETURN_IF_ERROR(WriteFileAtomically(flags.export_csv, csv));
    console.Note(fmt::format("wrote {} (Edge Benchmarking Framework format)",
                             flags.export_csv));
  }
  if (!sweep.finished) {
    console.Note("stopped; run the same command again to resume");
  }
  return ExitCodeFor(sweep);
}

// Fills the flags with the answers of a person.
Status AskForFlags(const Invocation& invocation,
                   const SweepQuestionsDependencies& dependencies,
                   SweepFlags& flags, ApplicationFlags& application) {
  ASSIGN_OR_RETURN(DeviceFacts facts, dependencies.host.Facts());
  TerminalDialogue dialogue(invocation.stop);
  ASSIGN_OR_RETURN(
      SweepWishes wishes,
      AskForSweep(dialogue,
                  {.memory = facts.ram, .cpus = {int64_t{1000} * facts.cores}},
                  [&]() -> Status {
                    auto found = FindTorch(dependencies.torch);
                    return found.ok() ? Status() : found.error();
                  }));
  flags.network = wishes.network;
  application.image = wishes.image;
  flags.command = wishes.command;
  flags.memory = wishes.memory;
  flags.cpus = wishes.cpus;
  if (wishes.bisect) flags.search = "bisect";
  return {};
}

bool IsForNetworks(const std::string& flag) {
  return HasItem({"--iterations", "--threads", "--batch", "--shape", "--input",
                  "--image-path", "--seed", "--provider", "--optimization",
                  "--inter-op-threads", "--spinning", "--arena"},
                 flag);
}

// Returns a complaint if the arguments do not go together.
std::optional<std::string> Complaint(const SweepFlags& flags,
                                     const ApplicationFlags& application,
                                     const std::vector<std::string>& given) {
  bool command = !flags.command.empty();
  bool image = !application.image.empty();
  bool network = !flags.network.empty();
  if (network && (command || image)) {
    return "expected a network or a command after --, not both";
  }
  if (!network && !command && !image) {
    return "expected a network file or a command after --: mete sweep "
           "--memory 400Mi:40Mi -- ./app";
  }
  Limits limits;
  Result<SweepPlan> plan = MakePlan(flags, limits);
  if (!plan.ok()) return plan.error().message();
  if (plan->memory && plan->cpus && !flags.export_csv.empty()) {
    return "--export-csv: sweep one limit at a time; the format has one table "
           "for memory and one for CPUs";
  }
  bool bisect = plan->search == SweepSearch::kBisect;
  for (const std::string& name : given) {
    if (name == "--repeat" && bisect)
      return "--repeat requires --search linear";
    bool of_bisect = name == "--confirm" || name == "--resolution";
    if (of_bisect && !bisect) return name + " requires --search bisect";
    if (IsForNetworks(name) && !network) {
      return name + " is for networks, not for commands";
    }
  }
  return ImageComplaint(given, application);
}

// Returns a complaint if the sweep begins above what the machine has: all those
// limits would give the same result.
Result<std::optional<std::string>> RangeComplaint(const SweepFlags& flags,
                                                  Host& host) {
  std::optional<std::string> complaint;
  Limits limits;
  ASSIGN_OR_RETURN(SweepPlan plan, MakePlan(flags, limits));
  ASSIGN_OR_RETURN(DeviceFacts facts, host.Facts());
  const auto cores = static_cast<uint64_t>(facts.cores);
  if (plan.cpus && plan.cpus->from > 1000 * cores) {
    complaint = fmt::format("--cpus: this machine has only {} CPU{}", cores,
                            cores == 1 ? "" : "s");
  } else if (plan.memory && facts.ram.count > 0 &&
             plan.memory->from > facts.ram.count) {
    complaint = fmt::format(
        "--memory: this machine has only {}; {} cannot be "
        "reached",
        FormatBytes(facts.ram), FormatBytes(Bytes{plan.memory->from}));
  }
  return complaint;
}

void AddSweepFlags(Command command, SweepFlags& flags) {
  command.Option("NET.onnx", flags.network, "Network file (or use -- COMMAND)");
  command
      .Option("--memory", flags.memory,
              "Memory limits to try, e.g. 400Mi:40Mi:8Mi, or one limit for all "
              "runs")
      .Check(ParseMemoryRange, "FROM:TO[:STEP]");
  command
      .Option("--cpus", flags.cpus,
              "CPU limits to try, e.g. 1:0.1:0.1, or one limit for all runs")
      .Check(ParseCpuRange, "FROM:TO[:STEP]");
  command
      .Option("--search", flags.search,
              "Search method: linear (default; lowers the limit until a run "
              "fails) or bisect")
      .Check(ParseSweepSearch, "METHOD");
  command
      .Option("--repeat", flags.repeat,
              "linear: runs per limit (default 1; CPU sweeps of networks 2)")
      .Within(1, 1000);
  command.Switch("--warm", flags.warm,
                 "Do not evict the workload's files from the page cache");
  command
      .Option("--slowdown", flags.slowdown,
              "Works if at most X times slower than at the loosest limit "
              "(default 2 for memory)")
      .Placeholder("X");
  command
      .Option("--slo", flags.objective,
              "Works if the step meets this, e.g. p95=50ms")
      .Check(ParseStepObjective, "STATISTIC=TIME");
  command
      .Option("--confirm", flags.confirm,
              "bisect: consecutive runs that must succeed (default 3)")
      .Within(1, 1000);
  command
      .Option("--resolution", flags.resolution,
              "bisect: precision of the memory limit (default 1Mi)")
      .Check(ParseBytes, "BYTES");
  command
      .Option(
          "--iterations", flags.iterations,
          "Network: least inferences per run (default 100); under CPU limits "
          "for at least 5s")
      .Within(1, 100'000'000);
  command
      .Option("--threads", flags.threads,
              "Network: threads of the engine (default 1)")
      .Within(1, 1024);
  AddInputFlags(command, flags.inputs);
  AddEngineFlags(command, flags.inputs);
  command
      .Option("--export-csv", flags.export_csv,
              "Also write the table of the Edge Benchmarking Framework")
      .Placeholder("FILE");
}

}  // namespace

void AddSweepCommand(Command root, Verbs& verbs,
                     Lazy<SweepQuestionsDependencies> questions,
                     Lazy<SweepDependencies> dependencies) {
  auto flags = std::make_shared<SweepFlags>();
  auto application = std::make_shared<ApplicationFlags>();
  Command command =
      root.Add("sweep", "Find the minimum memory and CPU a workload needs",
               "mete sweep                # interactive, on a terminal\n"
               "  mete sweep --memory 400Mi:40Mi --search bisect -- ./app\n"
               "  mete sweep --cpus 1:0.1:0.1 net.onnx");
  command.TakesCommand();
  AddSweepFlags(command, *flags);
  AddSurroundingFlags(command, *application);
  auto run = [=](Invocation& invocation) -> Result<ExitCode> {
    std::vector<std::string> given = command.Given();
    if (invocation.command) flags->command = *invocation.command;
    if (given.empty() && !invocation.command && CanAsk()) {
      ASSIGN_OR_RETURN(SweepQuestionsDependencies needs, questions());
      RETURN_IF_ERROR(AskForFlags(invocation, needs, *flags, *application));
    }
    auto complaint = Complaint(*flags, *application, given);
    if (complaint) {
      invocation.console.Error("mete sweep: " + *complaint);
      return ExitCode::kUsage;
    }
    ASSIGN_OR_RETURN(SweepDependencies needs, dependencies());
    Host& host = needs.platform.host;
    ASSIGN_OR_RETURN(complaint, RangeComplaint(*flags, host));
    if (!complaint) complaint = PinComplaint(*application, host);
    if (complaint) {
      invocation.console.Error("mete sweep: " + *complaint);
      return ExitCode::kUsage;
    }
    return SweepIt(invocation, *flags, *application, needs);
  };
  verbs.push_back({.command = command,
                   .run = run,
                   .interruptible = true,
                   .takes_command = true});
}

}  // namespace mete
