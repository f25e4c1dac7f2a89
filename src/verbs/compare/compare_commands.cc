#include "compare/compare_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "devices/this_device.h"
#include "measure/application_text.h"
#include "measure/keep_run.h"
#include "measure/machine_check.h"
#include "measure/prepare_application.h"
#include "measure/recorded_run.h"
#include "support/command_line.h"
#include "support/file.h"

namespace mete {
namespace {

// Enough of a failed preparation's output to see why.
constexpr size_t kShownOutput = 500;

bool Succeeded(const Run& run) {
  return run.outcome.kind == OutcomeKind::kCompleted &&
         run.application()->exit_code.value_or(0) == 0;
}

// Runs the preparation and waits for it. It is neither limited nor measured.
class Preparation {
 public:
  Preparation(std::string script, Launchers& launchers)
      : script_(std::move(script)), launchers_(launchers) {}

  Status Run(const std::stop_token& stop) {
    if (script_.empty() || stop.stop_requested()) return {};
    ASSIGN_OR_RETURN(Launcher * launcher,
                     launchers_.Find(WorkloadKind::kCommand, stop));
    std::string output;
    LaunchRequest launch;
    launch.command = {"sh", "-c", script_};
    launch.output = [&output](std::string_view text) {
      if (output.size() < kShownOutput) output += text.substr(0, kShownOutput);
    };
    ASSIGN_OR_RETURN(auto running, launcher->Start(launch).While("--prepare"));
    while (!running->Wait(std::chrono::milliseconds(100))) {
      if (stop.stop_requested()) return {};  // killed when it is destroyed
    }
    ProcessEnding ending = running->Outcome();
    running.reset();  // all of its output has arrived
    if (ending.exit_code == 0) return {};
    return Unavailable(fmt::format(
        "the --prepare command failed ({}){}{}",
        ending.exit_code ? fmt::format("exit code {}", *ending.exit_code)
                         : fmt::format("signal {}", ending.signal.value_or(0)),
        output.empty() ? "" : ": ", output.substr(0, output.find('\n'))));
  }

 private:
  std::string script_;
  Launchers& launchers_;
};

// Runs two applications in turn and collects their times.
class Contest {
 public:
  Contest(const CompareCommandsRequest& request,
          const MeasureApplicationDependencies& dependencies,
          const ProgressLines& lines)
      : request_(request),
        dependencies_(dependencies),
        lines_(lines),
        preparation_(request.prepare, dependencies.platform.launchers) {}

  Status Prepare(const std::stop_token& stop) {
    const ApplicationDependencies& platform = dependencies_.platform;
    ASSIGN_OR_RETURN(
        Device device,
        RegisterThisDevice(dependencies_.runs, platform.host, platform.clock));
    for (const ApplicationSpec* given : {&request_.first, &request_.second}) {
      ApplicationSpec spec = *given;
      spec.repeat = 1;
      if (!spec.container) {
        ASSIGN_OR_RETURN(spec.command, WithTorchFound(std::move(spec.command),
                                                      dependencies_.torch));
      }
      ASSIGN_OR_RETURN(
          PreparedApplication application,
          PrepareApplication(spec,
                             {.device = device,
                              .mete_version = request_.mete_version,
                              .allow_privileged = request_.allow_privileged},
                             platform, lines_.progress, stop));
      entries_.push_back({.application = std::move(application)});
    }
    check_ =
        CheckMachineAndWarn(platform.host, platform.clock, lines_.warn, stop);
    return {};
  }

  // Runs whose time does not count. Returns false when one did not succeed.
  Result<bool> WarmUp(const std::stop_token& stop) {
    for (uint64_t round = 1; round <= request_.warmup; ++round) {
      for (Entry& entry : entries_) {
        ASSIGN_OR_RETURN(ScratchFolder folder, ScratchFolder::Create());
        PreparedApplication application = entry.application;
        application.run_id = NewRunId(dependencies_.platform);
        ASSIGN_OR_RETURN(
            Run run,
            RunOnce(std::move(application), folder.path(),
                    fmt::format("warm-up {} of {}: ", round, request_.warmup),
                    stop));
        run.application()->log_file.clear();  // removed with its folder
        run.application()->samples_file.clear();
        if (!Succeeded(run)) {
          unsuccessful_ = std::move(run);
          return false;
        }
      }
    }
    return true;
  }

  // Ends early when a run did not succeed or cannot be stored.
  Status TakeTurns(const std::stop_token& stop) {
    for (uint64_t round = 1; round <= request_.repeat; ++round) {
      for (Entry& entry : entries_) {
        PreparedApplication application = entry.application;
        application.run_id = NewRunId(dependencies_.platform);
        if (entry.run_ids.empty()) application.machine = check_;
        std::filesystem::path folder =
            dependencies_.runs_folder / application.run_id;
        ASSIGN_OR_RETURN(
            Run run,
            RunOnce(std::move(application), folder,
                    fmt::format("{} of {}: ", round, request_.repeat), stop));
        stored_ = KeepRun(dependencies_.runs, run);
        if (!Succeeded(run)) {
          unsuccessful_ = std::move(run);
          return {};
        }
        entry.run_ids.push_back(run.id);
        entry.seconds.push_back(
            run.application()->duration.value_or(Seconds(0)).count());
        if (!stored_.ok()) return {};
      }
    }
    return {};
  }

  // Of the complete pairs.
  CommandsCompared Finish() {
    CommandsCompared result{.unsuccessful = std::move(unsuccessful_),
                            .stored = std::move(stored_)};
    bool interrupted =
        result.unsuccessful &&
        result.unsuccessful->outcome.kind == OutcomeKind::kInterrupted;
    if (result.unsuccessful && !interrupted) return result;
    size_t pairs = std::min(entries_[0].seconds.size(),  // B may lack its last
                            entries_[1].seconds.size());
    for (Entry& entry : entries_) {
      entry.seconds.resize(pairs);
      entry.run_ids.resize(pairs);
    }
    auto ratio = MedianOfRatios(entries_[0].seconds, entries_[1].seconds);
    if (!ratio) return result;
    result.comparison = Comparison{.first = ToSide(entries_[0]),
                                   .second = ToSide(entries_[1]),
                                   .basis = ComparisonBasis::kPairs,
                                   .ratio = *ratio,
                                   .notes = check_.warnings};
    if (interrupted) {
      result.comparison->notes.push_back(fmt::format(
          "interrupted: {} of {} pairs were run", pairs, request_.repeat));
    }
    return result;
  }

 private:
  struct Entry {
    PreparedApplication application;
    std::vector<double> seconds{};
    std::vector<std::string> run_ids{};
  };

  static ComparedSide ToSide(const Entry& entry) {
    return {.what = entry.application.workload.source,
            .run_ids = entry.run_ids,
            .values = entry.seconds.size(),
            .seconds = *EstimateMedian(entry.seconds),
            .min = *std::ranges::min_element(entry.seconds),
            .max = *std::ranges::max_element(entry.seconds)};
  }

  // Makes one run with its files but does not store it.
  Result<Run> RunOnce(PreparedApplication application,
                      const std::filesystem::path& folder,
                      const std::string& which, const std::stop_token& stop) {
    RETURN_IF_ERROR(preparation_.Run(stop));
    auto report = [&](const ApplicationProgress& progress) {
      if (lines_.progress) lines_.progress(which + ProgressText(progress));
    };
    ASSIGN_OR_RETURN(
        ApplicationRun done,
        RecordRun(std::move(application), folder, dependencies_.platform,
                  {.progress = report, .warn = lines_.warn}, stop));
    return std::move(done.run);
  }

  const CompareCommandsRequest& request_;
  const MeasureApplicationDependencies& dependencies_;
  const ProgressLines& lines_;
  Preparation preparation_;
  std::vector<Entry> entries_;  // A and B
  MachineCheck check_;          // before the first run
  std::optional<Run> unsuccessful_;
  Status stored_;
};

}  // namespace

Result<CommandsCompared> CompareCommands(
    const CompareCommandsRequest& request,
    const MeasureApplicationDependencies& dependencies,
    const ProgressLines& lines, std::stop_token stop) {
  if (request.repeat == 0) return InvalidInput("repeat must be at least 1");
  Contest contest(request, dependencies, lines);
  RETURN_IF_ERROR(contest.Prepare(stop));
  ASSIGN_OR_RETURN(bool warm, contest.WarmUp(stop));
  if (warm) RETURN_IF_ERROR(contest.TakeTurns(stop));
  return contest.Finish();
}

Result<std::vector<std::string>> SplitComparedCommand(const std::string& text) {
  ASSIGN_OR_RETURN(auto arguments, SplitCommandLine(text));
  if (arguments.empty()) return InvalidInput("a command is empty");
  constexpr std::array<std::string_view, 9> kOperators = {
      "|", "||", "&", "&&", ";", ">", ">>", "<", "2>"};
  for (const std::string& word : arguments) {
    bool shell = std::ranges::find(kOperators, word) != kOperators.end() ||
                 (word.size() > 1 && word.ends_with(';'));
    if (!shell) continue;
    return InvalidInput(fmt::format("'{}' needs a shell: write \"{}\"", text,
                                    JoinCommandLine({"sh", "-c", text})));
  }
  return arguments;
}

}  // namespace mete
