#include "cli/watch_command.h"

#include <fmt/format.h>

#include <memory>

#include "cli/hangup.h"
#include "support/json.h"
#include "support/text.h"
#include "watch/cluster_sink.h"
#include "watch/file_sink.h"
#include "watch/remove_annotations.h"
#include "watch/round_text.h"
#include "watch/watch_loop.h"

namespace mete {
namespace {

struct WatchFlags {
  std::string config;
  std::string period;
  std::vector<std::string> spaces;
  std::string selector;
  std::string sink = "kubernetes";
  std::string file;
  std::string lease;
  bool once = false;
  bool dry_run = false;
  bool prune = false;
  bool prune_all = false;
  bool example = false;
};

Result<std::string> ParseSinkName(const std::string& name) {
  if (name == "kubernetes" || name == "file" || name == "store") return name;
  return InvalidInput(
      fmt::format("'{}' is not kubernetes, file or store", name));
}

Result<Seconds> ParseWatchPeriod(const std::string& text) {
  ASSIGN_OR_RETURN(Seconds period, ParseDuration(text));
  if (period < Seconds(1)) return InvalidInput("must be at least 1s");
  return period;
}

// NAMESPACE/NAME.
Result<LeaseRequest> ParseLease(const std::string& text) {
  std::vector<std::string> parts = SplitAt(text, '/');
  if (parts.size() != 2 || parts[0].empty() || parts[1].empty()) {
    return InvalidInput("expected NAMESPACE/NAME");
  }
  return LeaseRequest{.space = parts[0], .name = parts[1]};
}

std::optional<std::string> WatchComplaint(const WatchFlags& flags) {
  bool kubernetes = flags.sink == "kubernetes";
  if (!flags.file.empty() && flags.sink != "file") {
    return "--file requires --sink file";
  }
  if (!kubernetes && !flags.selector.empty()) {
    return "--selector requires --sink kubernetes: series have no labels of "
           "pods";
  }
  if (!kubernetes && !flags.lease.empty()) {
    return "--lease requires --sink kubernetes";
  }
  return std::nullopt;
}

Result<WatchConfig> LoadWatchConfig(const std::string& file) {
  if (file.empty()) return DefaultWatchConfig();
  return ReadWatchConfig(file);
}

// The sink, and the cluster if the sink is one.
struct OpenedSink {
  Cluster* cluster = nullptr;
  std::unique_ptr<AnnotationSink> sink;
};

Result<OpenedSink> OpenSink(const WatchFlags& flags,
                            const WatchCommandDependencies& needs) {
  OpenedSink opened;
  if (flags.sink == "kubernetes") {
    ASSIGN_OR_RETURN(opened.cluster, needs.open_cluster());
    opened.sink = std::make_unique<ClusterSink>(*opened.cluster);
  } else if (flags.sink == "file") {
    std::filesystem::path file = flags.file;
    if (file.empty()) file = needs.default_file;
    ASSIGN_OR_RETURN(FileSink sink, FileSink::Open(file));
    opened.sink = std::make_unique<FileSink>(std::move(sink));
  } else {
    ASSIGN_OR_RETURN(opened.sink, needs.open_store_sink());
  }
  return opened;
}

// Removes everything that was written, and needs no metrics for it.
Result<ExitCode> RemoveAll(Invocation& invocation, const WatchFlags& flags,
                           const WatchCommandDependencies& needs) {
  ASSIGN_OR_RETURN(OpenedSink opened, OpenSink(flags, needs));
  ASSIGN_OR_RETURN(
      RemovalReport report,
      RemoveAnnotations(
          {.scope = {.spaces = flags.spaces, .label_selector = flags.selector},
           .dry_run = flags.dry_run},
          opened.cluster, *opened.sink, invocation.stop));
  invocation.output.Print({
      .text = [&] { return RemovalTable(report).Text(); },
      .json = [&] { return RemovalToJson(report); },
      .csv = [&] { return RemovalTable(report).Csv(); },
  });
  Console& console = invocation.console;
  for (const std::string& warning : report.warnings) console.Warn(warning);
  for (const RemovalEntry& entry : report.entries) {
    if (entry.failure.empty()) continue;
    console.Warn(ObjectText(entry.object) + ": " + entry.failure);
  }
  console.Note(RemovalLine(report));
  return report.failed > 0 ? ExitCode::kError : ExitCode::kDone;
}

// More would hide the rest of the output; the profiles have them all.
constexpr size_t kMostTrialNotes = 5;

void NoteTrials(const RoundReport& report, Console& console) {
  size_t noted = 0;
  for (const RoundObject& object : report.objects) {
    if (!object.trial) continue;
    if (noted++ == kMostTrialNotes) return;
    console.Note(fmt::format("{} {}; to find out what it needs: {}",
                             ObjectText(object.object), object.trial->reason,
                             object.trial->command));
  }
}

void WarnOfRound(const RoundReport& report, Console& console) {
  for (const std::string& warning : report.warnings) console.Warn(warning);
  for (const RoundObject& object : report.objects) {
    if (object.failure.empty()) continue;
    console.Warn(ObjectText(object.object) + ": " + object.failure);
  }
}

Result<ExitCode> WatchOnce(Invocation& invocation, const WatchRequest& request,
                           const WatchDependencies& needs) {
  WatchRounds rounds(needs);
  ASSIGN_OR_RETURN(RoundReport report, rounds.Run(request, invocation.stop));
  invocation.output.Print({
      .text = [&] { return RoundTable(report).Text(); },
      .json = [&] { return RoundToJson(report); },
      .csv = [&] { return RoundTable(report).Csv(); },
  });
  WarnOfRound(report, invocation.console);
  NoteTrials(report, invocation.console);
  invocation.console.Note(RoundLine(report, request.dry_run));
  return report.failed > 0 ? ExitCode::kError : ExitCode::kDone;
}

// Reads the configuration again after SIGHUP. An invalid one is reported, and
// the old one stays.
std::optional<WatchConfig> Reload(HangupWatch& hangup, const WatchFlags& flags,
                                  Console& console) {
  if (!hangup.Take()) return std::nullopt;
  auto config = LoadWatchConfig(flags.config);
  if (!config.ok()) {
    console.Warn("the configuration stays as it was: " +
                 config.error().message());
    return std::nullopt;
  }
  console.Note("read the configuration again");
  return *std::move(config);
}

Result<ExitCode> WatchOn(Invocation& invocation, const WatchFlags& flags,
                         WatchLoopOptions options,
                         const WatchDependencies& needs) {
  Console& console = invocation.console;
  HangupWatch hangup;
  const bool dry_run = options.request.dry_run;
  console.Note(fmt::format("watching {}; annotations go to {}",
                           needs.history.name(),
                           dry_run ? "nowhere (dry run)" : needs.sink.name()));
  WatchLoopCallbacks callbacks{
      .round =
          [&](const RoundReport& report) {
            WarnOfRound(report, console);
            console.Note(FormatUtc(report.at) + " " +
                         RoundLine(report, dry_run));
          },
      .warn = [&](const std::string& text) { console.Warn(text); },
      .note = [&](const std::string& text) { console.Note(text); },
      .reload = [&] { return Reload(hangup, flags, console); }};
  RETURN_IF_ERROR(
      WatchUntilStopped(options, needs, callbacks, invocation.stop));
  return ExitCode::kDone;
}

Result<ExitCode> RunWatch(Invocation& invocation, const WatchFlags& flags,
                          const Lazy<WatchCommandDependencies>& dependencies) {
  if (flags.example) {
    invocation.output.PrintText(std::string(kWatchExample));
    return ExitCode::kDone;
  }
  if (auto complaint = WatchComplaint(flags)) {
    invocation.console.Error("mete watch: " + *complaint);
    return ExitCode::kUsage;
  }
  WatchLoopOptions options;
  ASSIGN_OR_RETURN(options.request.config, LoadWatchConfig(flags.config));
  ASSIGN_OR_RETURN(WatchCommandDependencies needs, dependencies());
  if (flags.prune_all) return RemoveAll(invocation, flags, needs);
  ASSIGN_OR_RETURN(MetricHistory * history, needs.open_history());
  ASSIGN_OR_RETURN(OpenedSink opened, OpenSink(flags, needs));
  options.request.scope = {.spaces = flags.spaces,
                           .label_selector = flags.selector};
  options.request.dry_run = flags.dry_run;
  options.request.prune = flags.prune;
  options.request.threads = needs.threads;
  if (!flags.period.empty()) {
    ASSIGN_OR_RETURN(options.period, ParseWatchPeriod(flags.period));
  }
  if (!flags.lease.empty()) {
    ASSIGN_OR_RETURN(options.lease, ParseLease(flags.lease));
    options.lease->holder = needs.replica;
  }
  WatchDependencies watch{.history = *history,
                          .cluster = opened.cluster,
                          .sink = *opened.sink,
                          .analyzers = needs.analyzers,
                          .clock = needs.clock};
  if (flags.once) return WatchOnce(invocation, options.request, watch);
  return WatchOn(invocation, flags, std::move(options), watch);
}

void AddWatchFlags(Command command, const std::shared_ptr<WatchFlags>& flags) {
  Flag once =
      command.Switch("--once", flags->once, "Run one round, print it and end");
  command
      .Option("--period", flags->period,
              "Time between rounds (default: of the configuration, 30s)")
      .Check(ParseWatchPeriod, "TIME")
      .Excludes(once);
  command
      .Option("--namespace", flags->spaces,
              "Watch pods of this namespace (repeatable; default: all)")
      .OneEach();
  command.Option("--selector", flags->selector,
                 "Watch pods with these labels: app=train,tier!=test");
  command.Switch("--dry-run", flags->dry_run,
                 "Decide on annotations but write nothing");
  command
      .Option("--sink", flags->sink,
              "kubernetes (default), file or store: where annotations go")
      .Check(ParseSinkName, "SINK");
  command
      .Option("--file", flags->file,
              "File for --sink file (default: in the state folder)")
      .Placeholder("FILE");
  Flag prune =
      command.Switch("--prune", flags->prune, "Remove stale annotations");
  command
      .Switch("--prune-all", flags->prune_all,
              "Remove all annotations of mete watch and end; stop running "
              "replicas first")
      .Excludes(once)
      .Excludes(prune);
  command
      .Option("--lease", flags->lease,
              "With several replicas: the Lease that elects the one that "
              "writes")
      .Check(ParseLease, "NAMESPACE/NAME")
      .Excludes(once);
  command
      .Option("--config", flags->config,
              "Metrics, window and step (YAML); see --example")
      .Placeholder("FILE");
  command.Switch("--example", flags->example,
                 "Print the default configuration");
}

}  // namespace

void AddWatchCommand(Command root, Verbs& verbs,
                     Lazy<WatchCommandDependencies> dependencies) {
  auto flags = std::make_shared<WatchFlags>();
  Command command = root.Add(
      "watch", "Profile nodes, pods and jobs from metrics and annotate them",
      "mete watch --once --sink file --file profiles.json",
      "Metrics come from Prometheus (setting prometheus.url). SIGHUP reads the "
      "file of\n--config again. Every command takes -o table|json|csv, "
      "--store, "
      "-q, -v. To pass\nthe settings file, put it before the command: mete "
      "--config mete.yaml watch …\n\n");
  AddWatchFlags(command, flags);
  verbs.push_back({.command = command,
                   .run =
                       [flags, dependencies](Invocation& invocation) {
                         return RunWatch(invocation, *flags, dependencies);
                       },
                   .interruptible = true});
}

}  // namespace mete
