// mete sweep: how little memory and CPU a workload needs.
#include <fmt/format.h>

#include "cli/application_flags.h"
#include "cli/application_services.h"
#include "cli/run_entropy.h"
#include "cli/sweep_questions.h"
#include "cli/terminal_dialogue.h"
#include "cli/torch_program.h"
#include "cli/unconverted_commands.h"
#include "cli/verb.h"
#include "devices/this_device.h"
#include "domain/sweep_json.h"
#include "flags/version.h"
#include "measure/application_spec_json.h"
#include "measure/reproduce_command.h"
#include "measure/run_id.h"
#include "support/file.h"
#include "support/json.h"
#include "support/sha256.h"
#include "support/text.h"
#include "sweep/infer_network.h"
#include "sweep/reference_workload.h"
#include "sweep/run_sweep.h"
#include "sweep/sweep_text.h"

namespace mete {
namespace {

struct SweepFlags {
  std::string network;
  std::vector<std::string> command;  // the words after "--"
  std::optional<std::string> memory;
  std::optional<std::string> cpus;
  std::string search = "linear";
  uint64_t repeat = 1;
  uint64_t confirm = 3;
  std::string resolution = "1Mi";
  uint64_t iterations = 100;
  int threads = 1;  // of a network's engine
  std::string export_csv;
};

// One value is a limit for every run; two or three are swept.
struct GivenRange {
  LimitRange range;
  bool swept = false;
};

template <typename Parse>
Result<GivenRange> ParseRange(const std::string& text, Parse parse) {
  std::vector<std::string> parts = SplitAt(text, ':');
  if (parts.size() > 3) {
    return InvalidInput("'" + text + "': FROM:TO or FROM:TO:STEP is wanted");
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
  if (values.size() == 3 && values[2] == 0) {
    return InvalidInput("'" + text + "': a step of 0 leads nowhere");
  }
  return given;
}

Result<GivenRange> ParseMemoryRange(const std::string& text) {
  return ParseRange(text, ParseBytes);
}
Result<GivenRange> ParseCpuRange(const std::string& text) {
  return ParseRange(text, ParseMillicores);
}

// A tenth of the way, in whole units: about as many runs as a plot needs.
uint64_t DefaultStep(const LimitRange& range, uint64_t unit) {
  if (range.from <= range.to) return unit;
  uint64_t tenth = (range.from - range.to + 9) / 10;
  return (tenth + unit - 1) / unit * unit;
}

constexpr uint64_t kCpuStep = 10;        // millicores; linear
constexpr uint64_t kCpuResolution = 50;  // bisecting

// Fills the plan, and the limits that hold for every run.
Status ReadRanges(const SweepFlags& flags, SweepPlan& plan, Limits& limits) {
  bool bisect = plan.search == SweepSearch::kBisect;
  if (flags.memory) {
    ASSIGN_OR_RETURN(GivenRange memory, ParseMemoryRange(*flags.memory));
    ASSIGN_OR_RETURN(Bytes resolution, ParseBytes(flags.resolution));
    if (resolution.count == 0) return InvalidInput("--resolution: more than 0");
    LimitRange& range = memory.range;
    if (!memory.swept) limits.memory = Bytes{range.from};
    if (range.step == 0) {
      range.step = bisect ? resolution.count : DefaultStep(range, kMebi);
    }
    if (memory.swept) plan.memory = range;
  }
  if (flags.cpus) {
    ASSIGN_OR_RETURN(GivenRange cpus, ParseCpuRange(*flags.cpus));
    LimitRange& range = cpus.range;
    if (!cpus.swept) {
      limits.cpus = Millicores{static_cast<int64_t>(range.from)};
    }
    if (range.step == 0) {
      range.step = bisect ? kCpuResolution : DefaultStep(range, kCpuStep);
    }
    if (cpus.swept) plan.cpus = range;
  }
  return {};
}

// The plan, and the limits that hold for every run.
Result<SweepPlan> PlanOf(const SweepFlags& flags, Limits& limits) {
  SweepPlan plan{.repeat = flags.repeat, .confirm = flags.confirm};
  ASSIGN_OR_RETURN(plan.search, ParseSweepSearch(flags.search));
  RETURN_IF_ERROR(ReadRanges(flags, plan, limits));
  RETURN_IF_ERROR(CheckPlan(plan));
  return plan;
}

Result<ApplicationSpec> CommandOf(Invocation& invocation,
                                  const SweepFlags& flags,
                                  const ApplicationFlags& application) {
  if (!application.image.empty()) return SpecOf(application, flags.command);
  ASSIGN_OR_RETURN(
      std::vector<std::string> words,
      WithTorchFound(flags.command, TorchPlacesHere(invocation.environment)));
  RETURN_IF_ERROR(CheckSweepable(words));
  ASSIGN_OR_RETURN(ApplicationSpec spec, SpecOf(application, words));
  spec.name = TorchWorkloadName(words).value_or("");
  return spec;
}

Result<ApplicationSpec> WorkloadOf(Invocation& invocation,
                                   const SweepFlags& flags,
                                   const ApplicationFlags& application) {
  if (flags.network.empty()) return CommandOf(invocation, flags, application);
  std::error_code error;
  auto file = std::filesystem::absolute(flags.network, error);
  // What is no network fails under every limit, and that tells nothing.
  RETURN_IF_ERROR(invocation.services.Reader().Read(file));
  std::vector<std::string> words = InferWords({.network = file,
                                               .threads = flags.threads,
                                               .iterations = flags.iterations});
  words.insert(words.begin(), OwnProgram());
  ASSIGN_OR_RETURN(ApplicationSpec spec, SpecOf(application, words));
  spec.name = file.stem().string();
  return spec;
}

// The same workload and plan on the same device: the same sweep. A command is
// another one in another folder, a network with other content.
Result<std::string> KeyOf(const SweepFlags& flags, const ApplicationSpec& spec,
                          const SweepPlan& plan, const Device& device) {
  Json json;
  if (!flags.network.empty()) {
    ASSIGN_OR_RETURN(json["network"], Sha256OfFile(flags.network));
  }
  std::error_code error;
  json["folder"] = std::filesystem::current_path(error).string();
  json["application"] = ApplicationSpecToJson(spec);
  json["plan"] = PlanToJson(plan);
  json["device"] = device.id;
  return Sha256Of(DumpJson(json)).substr(0, 16);
}

// The one that was broken off, or a new one.
Result<Sweep> SweepFor(Invocation& invocation, SweepStore& store,
                       const std::string& key, const ApplicationSpec& spec,
                       const SweepPlan& plan, const Device& device) {
  ASSIGN_OR_RETURN(std::optional<Sweep> broken, store.UnfinishedSweep(key));
  if (broken) {
    invocation.talk.Note(fmt::format("going on with sweep {} after {} runs",
                                     broken->id, broken->points.size()));
    return *std::move(broken);
  }
  Sweep sweep;
  sweep.started_at = invocation.services.TheClock().Wall();
  sweep.id = MakeRunId(sweep.started_at, DrawRunEntropy());
  sweep.key = key;
  sweep.workload = NameOf(spec);
  sweep.command = MeasureCommand(spec);
  sweep.device_name = device.name;
  sweep.plan = plan;
  return sweep;
}

ExitCode CodeOf(const Sweep& sweep) {
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

Result<Sweep> RunIt(Invocation& invocation, SweepRequest request,
                    RunStore& runs, SweepStore& sweeps) {
  Talk& talk = invocation.talk;
  auto sweep = RunSweep(
      std::move(request), OutsideOf(invocation.services),
      {.progress = [&](const std::string& line) { talk.Progress(line); },
       .warn = [&](const std::string& line) { talk.Warn(line); },
       .save_run =
           [&](const Run& run) {
             return runs.SaveRun(run).While("the run is not stored");
           },
       .save_sweep =
           [&](const Sweep& so_far) {
             return sweeps.SaveSweep(so_far).While("the sweep is not stored");
           }},
      invocation.stop);
  talk.ClearProgress();
  return sweep;
}

Result<ExitCode> SweepIt(Invocation& invocation, const SweepFlags& flags,
                         const ApplicationFlags& application) {
  Services& services = invocation.services;
  if (!flags.export_csv.empty()) {
    RETURN_IF_ERROR(CheckWritable(flags.export_csv));
  }
  ASSIGN_OR_RETURN(ApplicationSpec spec,
                   WorkloadOf(invocation, flags, application));
  SweepPlan plan = PlanOf(flags, spec.limits).value();
  ASSIGN_OR_RETURN(RunStore * runs, services.Store());
  ASSIGN_OR_RETURN(SweepStore * sweeps, services.Sweeps());
  ASSIGN_OR_RETURN(Device device, RegisterThisDevice(*runs, services.ThisHost(),
                                                     services.TheClock()));
  ASSIGN_OR_RETURN(std::string key, KeyOf(flags, spec, plan, device));
  ASSIGN_OR_RETURN(Sweep sweep,
                   SweepFor(invocation, *sweeps, key, spec, plan, device));
  ASSIGN_OR_RETURN(
      Sweep done,
      RunIt(invocation,
            {.sweep = std::move(sweep),
             .application = spec,
             .context = {.device = device,
                         .mete_version = kVersion,
                         .allow_privileged = application.allow_privileged},
             .runs_folder = services.RunsFolder()},
            *runs, *sweeps));
  Print(invocation, done);
  if (!flags.export_csv.empty()) {
    ASSIGN_OR_RETURN(std::string csv, PredecessorCsv(done));
    RETURN_IF_ERROR(WriteFileAtomically(flags.export_csv, csv));
    invocation.talk.Note("table of the predecessor: " + flags.export_csv);
  }
  if (!done.finished) {
    invocation.talk.Note("stopped; the same command goes on from here");
  }
  return CodeOf(done);
}

// Fills the flags with what a person answers.
Status AskForFlags(Invocation& invocation, SweepFlags& flags) {
  ASSIGN_OR_RETURN(DeviceFacts facts, invocation.services.ThisHost().Facts());
  TerminalDialogue dialogue(invocation.stop);
  ASSIGN_OR_RETURN(
      SweepWishes wishes,
      AskForSweep(dialogue,
                  {.memory = facts.ram, .cpus = {int64_t{1000} * facts.cores}},
                  [&]() -> Status {
                    auto found =
                        FindTorch(TorchPlacesHere(invocation.environment));
                    return found.ok() ? Status() : found.error();
                  }));
  flags.network = wishes.network;
  flags.command = wishes.command;
  flags.memory = wishes.memory;
  flags.cpus = wishes.cpus;
  if (wishes.bisect) flags.search = "bisect";
  return {};
}

// What is wrong with the combination of words; absent when nothing is.
std::optional<std::string> Complaint(const SweepFlags& flags,
                                     const ApplicationFlags& application,
                                     const std::vector<std::string>& given) {
  bool command = !flags.command.empty();
  bool image = !application.image.empty();
  bool network = !flags.network.empty();
  if (network && (command || image)) {
    return "a network or a command after --, not both";
  }
  if (!network && !command && !image) {
    return "what to run is wanted: mete sweep --memory 400Mi:40Mi -- ./app";
  }
  Limits limits;
  Result<SweepPlan> plan = PlanOf(flags, limits);
  if (!plan.ok()) return plan.error().message();
  if (plan->memory && plan->cpus && !flags.export_csv.empty()) {
    return "--export-csv: the predecessor has no table for both limits at once";
  }
  bool bisect = plan->search == SweepSearch::kBisect;
  for (const std::string& name : given) {
    if (name == "--repeat" && bisect) return "--repeat is for --search linear";
    bool of_bisect = name == "--confirm" || name == "--resolution";
    if (of_bisect && !bisect) return name + " is for --search bisect";
    bool for_networks = name == "--iterations" || name == "--threads";
    if (for_networks && !network) return name + " is for networks";
  }
  return ImageComplaint(given, application);
}

void AddSweepFlags(Command command, SweepFlags& flags) {
  command.Option("NET.onnx", flags.network, "Network file, or -- COMMAND");
  command
      .Option("--memory", flags.memory,
              "Memory limits, 400Mi:40Mi[:8Mi]; or one for all runs")
      .Check(ParseMemoryRange, "FROM:TO[:STEP]");
  command
      .Option("--cpus", flags.cpus, "CPU limits, 1:0.1[:0.1]; or one for all")
      .Check(ParseCpuRange, "FROM:TO[:STEP]");
  command
      .Option("--search", flags.search,
              "linear (default): down until it fails; or bisect")
      .Check(ParseSweepSearch, "HOW");
  command.Option("--repeat", flags.repeat, "linear: runs at each limit")
      .Within(1, 1000);
  command
      .Option("--confirm", flags.confirm,
              "bisect: runs in a row that must work (default 3)")
      .Within(1, 1000);
  command
      .Option("--resolution", flags.resolution,
              "bisect: how exactly memory is found (default 1Mi)")
      .Check(ParseBytes, "BYTES");
  command
      .Option("--iterations", flags.iterations,
              "Network: inferences in a run (default 100)")
      .Within(1, 100'000'000);
  command
      .Option("--threads", flags.threads, "Network: engine threads (default 1)")
      .Within(1, 1024);
  command.Option("--export-csv", flags.export_csv,
                 "Also write the predecessor's table");
}

}  // namespace

void AddSweepCommand(Command root, Verbs& verbs) {
  auto flags = std::make_shared<SweepFlags>();
  auto application = std::make_shared<ApplicationFlags>();
  Command command =
      root.Add("sweep", "How little memory and CPU a workload needs",
               "mete sweep                # asks, on a terminal\n"
               "  mete sweep --memory 400Mi:40Mi --search bisect -- ./app\n"
               "  mete sweep --cpus 1:0.1:0.1 net.onnx");
  AddSweepFlags(command, *flags);
  AddSurroundingFlags(command, *application);
  auto run = [=](Invocation& invocation) -> Result<ExitCode> {
    std::vector<std::string> given = command.Given();
    if (invocation.command) flags->command = *invocation.command;
    if (given.empty() && !invocation.command && CanAsk()) {
      RETURN_IF_ERROR(AskForFlags(invocation, *flags));
    }
    auto complaint = Complaint(*flags, *application, given);
    if (complaint) {
      invocation.talk.Error("mete sweep: " + *complaint);
      return ExitCode::kUsage;
    }
    return SweepIt(invocation, *flags, *application);
  };
  verbs.push_back({.command = command,
                   .run = run,
                   .interruptible = true,
                   .takes_command = true});
}

}  // namespace mete
