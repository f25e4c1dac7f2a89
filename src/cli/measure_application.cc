#include "cli/measure_application.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <charconv>

#include "cli/run_entropy.h"
#include "cli/version.h"
#include "devices/this_device.h"
#include "domain/run_json.h"
#include "measure/app_metrics.h"
#include "measure/application_text.h"
#include "measure/run_application.h"
#include "measure/run_table.h"
#include "measure/sample_csv.h"
#include "support/capped_log.h"
#include "support/file.h"
#include "support/nearest.h"

namespace mete {
namespace {

// Enough to find out what went wrong; a chatty application must not fill the
// disk of a small device.
constexpr Bytes kLogCap = Mebibytes(16);

Result<std::pair<std::string, std::string>> ParseVariable(
    const std::string& text) {
  size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos) {
    return InvalidInput(fmt::format("'{}' is not NAME=VALUE", text));
  }
  return std::pair(text.substr(0, equals), text.substr(equals + 1));
}

Result<Seconds> ParseTimeout(const std::string& text) {
  ASSIGN_OR_RETURN(Seconds length, ParseDuration(text));
  if (length.count() <= 0) return InvalidInput("must be longer than nothing");
  return length;
}

Result<Limits> LimitsOf(const ApplicationFlags& flags) {
  Limits limits{.threads = flags.threads,
                .cpuset = flags.cpuset,
                .processes = flags.processes,
                .swap = flags.swap};
  if (flags.memory) {
    ASSIGN_OR_RETURN(limits.memory, ParseBytes(*flags.memory));
  }
  if (flags.cpus) {
    ASSIGN_OR_RETURN(limits.cpus, ParseMillicores(*flags.cpus));
  }
  return limits;
}

// "perf,gpu" -> {"perf", "gpu"}.
Result<std::vector<std::string>> ParseProbes(const std::string& text) {
  const std::vector<std::string> known = {"perf", "gpu", "tegrastats"};
  std::vector<std::string> probes;
  for (size_t start = 0; start <= text.size();) {
    size_t end = std::min(text.find(',', start), text.size());
    std::string name = text.substr(start, end - start);
    if (std::ranges::find(known, name) == known.end()) {
      return InvalidInput(fmt::format("'{}' is not perf, gpu or tegrastats{}",
                                      name, DidYouMean(name, known)));
    }
    probes.push_back(name);
    start = end + 1;
  }
  return probes;
}

Status CheckDataset(const std::filesystem::path& folder) {
  std::error_code error;
  if (!std::filesystem::exists(folder, error)) {
    return NotFound("--dataset " + folder.string() +
                    ": no such file or folder");
  }
  if (access(folder.c_str(), R_OK) != 0) {
    return SystemError("--dataset " + folder.string(), errno);
  }
  return {};
}

Result<ApplicationRequest> RequestOf(const ApplicationFlags& flags,
                                     const std::vector<std::string>& words,
                                     const Device& device) {
  ApplicationRequest request;
  request.launch.command = words;
  ASSIGN_OR_RETURN(request.launch.limits, LimitsOf(flags));
  for (const std::string& text : flags.environment) {
    ASSIGN_OR_RETURN(auto variable, ParseVariable(text));
    request.launch.environment.insert_or_assign(variable.first,
                                                variable.second);
  }
  request.workload = {
      .kind = WorkloadKind::kCommand,
      .name = std::filesystem::path(words[0]).filename().string(),
      .source = fmt::format("{}", fmt::join(words, " "))};
  if (!flags.dataset.empty()) {
    RETURN_IF_ERROR(CheckDataset(flags.dataset));
    auto absolute = std::filesystem::absolute(flags.dataset).string();
    request.launch.environment.insert_or_assign("METE_DATASET", absolute);
    request.workload.input_origin = "dataset " + flags.dataset;
  }
  if (flags.timeout) {
    ASSIGN_OR_RETURN(request.timeout, ParseTimeout(*flags.timeout));
  }
  ASSIGN_OR_RETURN(request.grace, ParseDuration(flags.grace));
  ASSIGN_OR_RETURN(request.sample_hertz, ParseHertz(flags.sample));
  if (flags.probes) {
    ASSIGN_OR_RETURN(request.wanted_probes, ParseProbes(*flags.probes));
  }
  request.device_id = device.id;
  request.device_name = device.name;
  request.mete_version = kVersion;
  return request;
}

ApplicationProgressCallback ShowProgress(Talk& talk, const std::string& which) {
  return [&talk, which](const ApplicationProgress& progress) {
    std::string line =
        fmt::format("{}running: {:.0f} s", which, progress.elapsed.count());
    if (progress.at_most) {
      line += fmt::format(" of at most {:.0f} s", progress.at_most->count());
    }
    if (progress.usage.memory) {
      line += ", memory " + FormatBytes(*progress.usage.memory);
    }
    if (progress.usage.cpu) {
      line += ", CPU " + FormatSeconds(progress.usage.cpu->count());
    }
    talk.Progress(line);
  };
}

// A folder for the run's files: DIR itself, DIR/2, … when repeated.
Result<std::filesystem::path> FolderFor(const ApplicationFlags& flags,
                                        Services& services, uint64_t repeat,
                                        const std::string& run_id) {
  std::filesystem::path folder = flags.out;
  if (folder.empty()) {
    folder = services.RunsFolder() / run_id;
  } else if (flags.repeat > 1) {
    folder /= std::to_string(repeat);
  }
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return SystemError("create " + folder.string(), error.value());
  return std::filesystem::absolute(folder);
}

// One run with its files; not yet stored.
Result<Run> RunOnce(Invocation& invocation, const ApplicationFlags& flags,
                    ApplicationRequest request, uint64_t repeat) {
  Services& services = invocation.services;
  request.run_id = MakeRunId(services.TheClock().Wall(), DrawRunEntropy());
  ASSIGN_OR_RETURN(auto folder,
                   FolderFor(flags, services, repeat, request.run_id));
  ASSIGN_OR_RETURN(CappedLog log, CappedLog::Open(folder / "app.log", kLogCap));
  request.launch.output = [&log](std::string_view text) { log.Write(text); };
  ASSIGN_OR_RETURN(Launcher * launcher, services.Processes());
  // In a folder of its own: the path of a socket must be short.
  ASSIGN_OR_RETURN(ScratchFolder sockets, ScratchFolder::Create());
  AppMetricsCollector metrics;
  ASSIGN_OR_RETURN(auto listener, services.Listen(sockets.path(), metrics));
  request.launch.environment.insert_or_assign("METE_HOOK_SOCKET",
                                              listener->path().string());
  std::string which =
      flags.repeat > 1 ? fmt::format("{} of {}: ", repeat, flags.repeat) : "";
  auto machine = services.NewMachineProbe();
  auto done =
      RunApplication(request,
                     {.launcher = *launcher,
                      .machine = *machine,
                      .host = services.ThisHost(),
                      .clock = services.TheClock()},
                     ShowProgress(invocation.talk, which), invocation.stop);
  invocation.talk.ClearProgress();
  listener->Stop();
  if (!done.ok() || !done->run.application) {
    // Nothing ran: an empty log of it is of no use.
    std::error_code ignored;
    std::filesystem::remove(folder / "app.log", ignored);
    std::filesystem::remove(folder, ignored);
    if (!done.ok()) return done.error();
    return std::move(done->run);
  }
  if (!log.status().ok()) {
    invocation.talk.Warn("the output is cut: " +
                         log.status().error().message());
  }
  ApplicationFigures& figures = *done->run.application;
  figures.app_metrics = metrics.Summarise();
  figures.log_file = (folder / "app.log").string();
  auto samples = folder / "samples.csv";
  Status written = WriteFileAtomically(samples, SamplesCsv(done->samples));
  if (written.ok()) {
    figures.samples_file = samples.string();
  } else {  // the run itself must not be lost with them
    invocation.talk.Warn("the samples are lost: " + written.error().message());
  }
  return std::move(done->run);
}

// What to make of the runs in a script: 3 when a limit or the time-out was not
// kept, 1 when the application failed by itself.
ExitCode CodeOf(const std::vector<Run>& runs) {
  ExitCode code = ExitCode::kDone;
  for (const Run& run : runs) {
    switch (run.outcome.kind) {
      case OutcomeKind::kInterrupted:
        return ExitCode::kInterrupted;
      case OutcomeKind::kOutOfMemory:
      case OutcomeKind::kTimedOut:
      case OutcomeKind::kRejected:
        code = ExitCode::kInfeasible;
        break;
      case OutcomeKind::kCrashed:
        if (code == ExitCode::kDone) code = ExitCode::kError;
        break;
      case OutcomeKind::kCompleted:
        bool failed = run.application && run.application->exit_code != 0;
        if (failed && code == ExitCode::kDone) code = ExitCode::kError;
        break;
    }
  }
  return code;
}

void Print(Invocation& invocation, const std::vector<Run>& runs) {
  bool one = runs.size() == 1;
  invocation.output.Print({
      .text = [&] { return one ? RunText(runs[0]) : RepeatText(runs); },
      .json = [&] { return one ? RunToJson(runs[0]) : RepeatJson(runs); },
      .csv = [&] { return RunCsv(runs); },
  });
}

}  // namespace

Result<double> ParseHertz(std::string_view text) {
  std::string_view digits = text;
  for (std::string_view unit : {"Hz", "hz", "HZ"}) {
    if (digits.ends_with(unit)) digits.remove_suffix(unit.size());
  }
  double hertz = 0;
  auto [rest, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), hertz);
  bool whole = error == std::errc() && rest == digits.data() + digits.size();
  if (!whole || hertz < kSlowestSampling || hertz > kFastestSampling) {
    return InvalidInput(
        fmt::format("'{}' is not a rate from {} to {} a second, as in 10Hz",
                    text, kSlowestSampling, kFastestSampling));
  }
  return hertz;
}

std::vector<std::string> AddApplicationFlags(Command command,
                                             ApplicationFlags& flags) {
  std::vector<std::string> added = {"--swap"};
  auto add = [&](const std::string& name, auto& value,
                 const std::string& description) {
    added.push_back(name);
    return command.Option(name, value, description);
  };
  add("--memory", flags.memory, "Command: memory limit, 512Mi")
      .Check(ParseBytes, "BYTES");
  add("--cpus", flags.cpus, "Command: CPU limit, 0.5 or 500m")
      .Check(ParseMillicores, "CPUS");
  add("--cpuset", flags.cpuset, "Command: cores it may use, 0-2,4");
  add("--processes", flags.processes, "Command: processes and threads at most")
      .Check(ParseCount, "N");
  command.Switch("--swap", flags.swap,
                 "Command: may swap past the memory limit");
  add("--timeout", flags.timeout, "Command: end it after this time, 60s")
      .Check(ParseTimeout, "DURATION");
  add("--grace", flags.grace, "Command: from SIGTERM to SIGKILL (default 5s)")
      .Check(ParseDuration, "DURATION");
  add("--repeat", flags.repeat, "Command: run it so many times (default 1)")
      .Within(1, 10'000);
  add("--sample", flags.sample, "Command: samples a second (default 10Hz)")
      .Check(ParseHertz, "RATE");
  add("--probes", flags.probes, "Command: explain absent perf,gpu,tegrastats")
      .Check(ParseProbes, "LIST");
  add("--env", flags.environment, "Command: a variable, NAME=VALUE")
      .Check(ParseVariable, "NAME=VALUE")
      .OneEach();
  add("--dataset", flags.dataset,
      "Command: its data; the path is in METE_DATASET");
  add("--out", flags.out, "Command: folder for samples.csv and app.log");
  return added;
}

Result<ExitCode> MeasureApplication(Invocation& invocation,
                                    const ApplicationFlags& flags) {
  Services& services = invocation.services;
  ASSIGN_OR_RETURN(RunStore * store, services.Store());
  ASSIGN_OR_RETURN(
      Device device,
      RegisterThisDevice(*store, services.ThisHost(), services.TheClock()));
  ASSIGN_OR_RETURN(ApplicationRequest request,
                   RequestOf(flags, *invocation.command, device));
  std::vector<Run> runs;
  Status stored;
  for (uint64_t repeat = 1; repeat <= flags.repeat; ++repeat) {
    ASSIGN_OR_RETURN(Run run, RunOnce(invocation, flags, request, repeat));
    stored = store->SaveRun(run).While("the run is not stored");
    runs.push_back(std::move(run));
    OutcomeKind outcome = runs.back().outcome.kind;
    bool pointless = outcome == OutcomeKind::kInterrupted ||
                     outcome == OutcomeKind::kRejected;
    if (!stored.ok() || pointless) break;
  }
  // Printed in any case: a full disk must not take the result with it.
  Print(invocation, runs);
  if (!stored.ok()) return stored.error();
  bool told = invocation.output.format() == OutputFormat::kTable &&
              runs.size() == 1;  // the text has the notes
  if (!told && runs.front().application) {
    for (const std::string& note : runs.front().application->notes) {
      invocation.talk.Warn(note);
    }
  }
  return CodeOf(runs);
}

}  // namespace mete
