#include "cli/contend_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "config/settings.h"
#include "contend/campaign_text.h"
#include "flags/version.h"
#include "support/file.h"
#include "support/gzip.h"
#include "support/json.h"
#include "support/nearest.h"
#include "support/parse_number.h"
#include "support/sha256.h"
#include "support/text.h"

namespace mete {
namespace {

struct ContendFlags {
  std::string kind;
  std::string apps;
  std::string window = "20s";
  std::string settle = "1s";
  std::optional<std::string> drain;
  std::string instances = "1,2,4";
  std::optional<std::string> rates;
  std::optional<std::string> memory_budget;
  std::optional<uint64_t> runs;
  uint64_t seed = 1;
  std::string launcher = "process";
  std::string image = std::string("mete:") + kVersion;
  std::string out;
  std::string export_table;
  bool fresh = false;
  bool dry_run = false;
};

// Of random and active campaigns.
constexpr uint64_t kUsualRuns = 100;
constexpr int kMostInstances = 64;
// One tenant's rate; the load generator itself needs a core beyond that.
constexpr double kMostRate = 100'000;

Result<std::vector<std::string>> ParseApps(const std::string& text) {
  std::vector<std::string> apps;
  for (std::string& name : SplitAt(text, ',')) {
    if (name.empty()) {
      return InvalidInput("'" + text + "' has an empty name");
    }
    if (HasItem(apps, name)) return InvalidInput(name + " is listed twice");
    apps.push_back(std::move(name));
  }
  return apps;
}

Result<std::vector<int>> ParseInstances(const std::string& text) {
  std::vector<int> counts;
  for (const std::string& part : SplitAt(text, ',')) {
    auto count = ParseNumber<int>(part);
    if (!count || *count < 1 || *count > kMostInstances) {
      return InvalidInput(fmt::format("'{}' is not a number from 1 to {}", part,
                                      kMostInstances));
    }
    counts.push_back(*count);
  }
  return counts;
}

// "5,10" or "5/s,10/s".
Result<std::vector<double>> ParseRates(const std::string& text) {
  std::vector<double> rates;
  for (const std::string& part : SplitAt(text, ',')) {
    std::string_view digits = part;
    if (digits.ends_with("/s")) digits.remove_suffix(2);
    auto rate = ParseNumber<double>(digits);
    if (!rate || !std::isfinite(*rate) || *rate <= 0 || *rate > kMostRate) {
      return InvalidInput(fmt::format(
          "'{}' is not a rate; it must be positive, like 5/s", part));
    }
    rates.push_back(*rate);
  }
  return rates;
}

Result<std::string> ParseServiceLauncher(const std::string& name) {
  if (name == "process" || name == "docker" || name == "kubernetes") {
    return name;
  }
  return InvalidInput("'" + name +
                      "' is not a launcher; there are process, docker and "
                      "kubernetes");
}

// Files are checked by the service that loads them.
Status CheckApplications(const std::vector<std::string>& apps,
                         const std::vector<std::string>& known) {
  for (const std::string& app : apps) {
    bool file = app.ends_with(".onnx") || app.find('/') != std::string::npos;
    if (file || HasItem(known, app)) continue;
    std::string near = DidYouMean(app, known);
    if (near.empty()) near = "; mete zoo list shows all";
    return InvalidInput("unknown application '" + app + "'" + near);
  }
  return {};
}

// Campaigns that measure in the same way share a folder, so that their mixes
// end up in one table.
std::filesystem::path UsualFolder(const ContendFlags& flags,
                                  const std::filesystem::path& folder) {
  std::string key = fmt::format(
      "{}|{}|{}|{}|{}|{}|{}", flags.apps, flags.window, flags.settle,
      flags.drain.value_or(""), flags.launcher, flags.image, flags.seed);
  return folder / ComputeSha256(key).substr(0, 12);
}

// Every flag was checked when it was parsed.
ContendRequest MakeContendRequest(const ContendFlags& flags,
                                  const ContendDependencies& needs) {
  const MixKind kind = *ParseMixKind(flags.kind);
  const Seconds window = *ParseDuration(flags.window);
  ContendRequest request{
      .plan = {.kind = kind,
               .applications = *ParseApps(flags.apps),
               .instances = *ParseInstances(flags.instances),
               .mixes = flags.runs.value_or(kUsualRuns),
               .seed = flags.seed},
      .at_most = flags.runs,
      .timing = {.window = window,
                 .settle = *ParseDuration(flags.settle),
                 .drain = flags.drain ? *ParseDuration(*flags.drain) : window},
      .pool = {.keep = !flags.fresh},
      .place = {.launcher = flags.launcher},
      .folder = flags.out.empty() ? UsualFolder(flags, needs.campaigns_folder)
                                  : std::filesystem::path(flags.out),
      .mete_version = kVersion};
  if (flags.rates) request.plan.rates = *ParseRates(*flags.rates);
  if (flags.memory_budget) {
    request.plan.memory_budget = *ParseBytes(*flags.memory_budget);
  }
  if (flags.launcher != "process") request.place.image = flags.image;
  return request;
}

Status ExportMixes(Invocation& invocation, const std::string& file,
                   const std::vector<MixObservation>& rows) {
  if (file.empty()) return {};
  std::string table = MixTableCsv(rows);
  if (file.ends_with(".gz")) {
    ASSIGN_OR_RETURN(table, Gzip(table));
  }
  RETURN_IF_ERROR(WriteFileAtomically(file, table));
  invocation.console.Note(
      fmt::format("wrote {} to {}", Counted(rows.size(), "row"), file));
  return {};
}

std::string TimeLeftText(Seconds left) {
  auto seconds = static_cast<long>(std::lround(left.count()));
  if (seconds < 60) return fmt::format(", {} s left", seconds);
  return fmt::format(", {} min left", (seconds + 30) / 60);
}

ContendCallbacks ShowCampaign(Console& console) {
  return {.progress =
              [&console](const ContendProgress& progress) {
                std::string left =
                    progress.left ? TimeLeftText(*progress.left) : "";
                std::string at = progress.total > 0
                                     ? fmt::format("[{}/{}{}] ", progress.done,
                                                   progress.total, left)
                                     : "";
                console.Progress(at + progress.step);
              },
          .warn = [&console](const std::string& line) { console.Warn(line); }};
}

ExitCode Infeasible(Invocation& invocation, const std::string& reason) {
  invocation.console.Error("mete contend: " + reason);
  return ExitCode::kInfeasible;
}

Result<ExitCode> ShowPlan(Invocation& invocation, const ContendRequest& request,
                          const ContendDependencies& needs) {
  ASSIGN_OR_RETURN(DeviceFacts facts, needs.host.Facts());
  auto outline = OutlineCampaign(request, std::max(facts.cores, 1));
  if (!outline.ok() && outline.error().code() == ErrorCode::kUnsupported) {
    return Infeasible(invocation, outline.error().message());
  }
  if (!outline.ok()) return outline.error();
  invocation.output.Print({.text = [&] { return OutlineText(*outline); },
                           .json = [&] { return OutlineJson(*outline); },
                           .csv = [&] { return OutlineCsv(*outline); }});
  return ExitCode::kDone;
}

Result<ExitCode> MeasureCampaign(Invocation& invocation,
                                 const ContendFlags& flags,
                                 const ContendRequest& request,
                                 const ContendDependencies& needs) {
  if (!flags.export_table.empty()) {
    RETURN_IF_ERROR(CheckWritable(flags.export_table));
  }
  auto summary = RunCampaign(request, needs, ShowCampaign(invocation.console),
                             invocation.stop);
  invocation.console.ClearProgress();
  if (!summary.ok()) return summary.error();
  if (!summary->infeasible.empty()) {
    return Infeasible(invocation, summary->infeasible);
  }
  invocation.output.Print({.text = [&] { return CampaignText(*summary); },
                           .json = [&] { return CampaignJson(*summary); },
                           .csv = [&] { return MixTableCsv(summary->rows); }});
  RETURN_IF_ERROR(ExportMixes(invocation, flags.export_table, summary->rows));
  if (summary->interrupted) {
    invocation.console.Note("stopped; run the same command again to resume");
    return ExitCode::kInterrupted;
  }
  return summary->failed > 0 ? ExitCode::kError : ExitCode::kDone;
}

void AddPlanFlags(Command command, ContendFlags& flags) {
  command
      .Option("KIND", flags.kind,
              "What to measure: baseline (each application alone), pairwise, "
              "random (mixes) or active (mixes that teach predictors most)")
      .Required()
      .Check(ParseMixKind, "baseline|pairwise|random|active");
  command
      .Option("--apps", flags.apps,
              "Applications: names of mete zoo list, or ONNX files")
      .Required()
      .Check(ParseApps, "APP[,APP...]");
  command
      .Option("--instances", flags.instances,
              "Numbers of instances to try (default 1,2,4)")
      .Check(ParseInstances, "N[,N...]");
  command
      .Option("--rates", flags.rates,
              "Requests per second of one instance to try (default: from the "
              "service times, 5 to 50 % busy)")
      .Check(ParseRates, "RATE[,RATE...]");
  command
      .Option("--memory-budget", flags.memory_budget,
              "Memory of all instances of a mix together (default: no limit)")
      .Check(ParseBytes, "SIZE");
  command
      .Option("--runs", flags.runs,
              "Number of mixes (default 100; baseline and pairwise: all)")
      .Within(1, 1'000'000);
  command
      .Option("--seed", flags.seed,
              "Random seed of mixes, order and arrival times (default 1)")
      .Check(ParseCount, "N");
}

void AddMeasuringFlags(Command command, ContendFlags& flags) {
  command
      .Option("--window", flags.window,
              "Time during which a mix is loaded (default 20s)")
      .Check(CheckDuration, "DURATION");
  command
      .Option("--settle", flags.settle,
              "Pause between the start of services and the load (default 1s)")
      .Check(ParseDuration, "DURATION");
  command
      .Option("--drain", flags.drain,
              "Longest wait for answers after a window (default: the window)")
      .Check(ParseDuration, "DURATION");
  command
      .Option("--launcher", flags.launcher,
              "How to run services: process (default) or docker")
      .Check(ParseServiceLauncher, "NAME");
  command
      .Option("--image", flags.image,
              "Container image of mete (default: of this version)")
      .Placeholder("IMAGE");
  command.Switch("--fresh", flags.fresh,
                 "Restart services for every mix, even if both mixes use them");
  command
      .Option("--out", flags.out,
              "Folder of the campaign (default: in the state folder)")
      .Placeholder("DIR");
  command
      .Option("--export-table", flags.export_table,
              "Write all mixes of the folder as a table (.csv or .csv.gz)")
      .Placeholder("FILE");
  command.Switch("--dry-run", flags.dry_run,
                 "Print the mixes and the duration without measuring");
}

}  // namespace

void AddContendCommand(Command root, Verbs& verbs,
                       Lazy<ContendCommandDependencies> dependencies) {
  auto flags = std::make_shared<ContendFlags>();
  Command command = root.Add(
      "contend", "Measure how co-located services slow each other down",
      "mete contend random --apps tclf-rf-small,iclf-mnet-small --runs 20\n"
      "  mete contend pairwise --apps tclf-rf,text-tbert --dry-run");
  AddPlanFlags(command, *flags);
  AddMeasuringFlags(command, *flags);
  auto run = [flags, dependencies](Invocation& invocation) -> Result<ExitCode> {
    ASSIGN_OR_RETURN(ContendCommandDependencies needs, dependencies());
    Status known =
        CheckApplications(*ParseApps(flags->apps), needs.applications);
    if (!known.ok()) {
      invocation.console.Error("mete contend: " + known.error().message());
      return ExitCode::kUsage;
    }
    ContendRequest request = MakeContendRequest(*flags, needs.campaign);
    if (flags->dry_run) return ShowPlan(invocation, request, needs.campaign);
    return MeasureCampaign(invocation, *flags, request, needs.campaign);
  };
  verbs.push_back({.command = command, .run = run, .interruptible = true});
}

}  // namespace mete
