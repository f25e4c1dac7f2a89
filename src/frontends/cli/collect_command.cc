#include "cli/collect_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/show_collecting.h"
#include "collect/collect_here.h"
#include "collect/collect_on_nodes.h"
#include "collect/collect_stream.h"
#include "config/settings.h"
#include "flags/version.h"
#include "measure/application_spec.h"
#include "measure/cluster_nodes.h"
#include "support/json.h"
#include "support/parse_number.h"
#include "support/table.h"
#include "support/text.h"
#include "support/units.h"

namespace mete {
namespace {

struct CollectFlags {
  std::string networks = "zoo";
  uint64_t iterations = 100;
  std::string seconds = "1.5s";
  size_t passes = 1;
  int64_t batch = 1;
  std::string device;
  std::string device_type;
  std::string image_path;
  std::string gpu_needed = "false";
  std::string load = "0,20,40,60,80";
  uint64_t seed = 0;
  std::string export_csv;
  std::string export_table;
  bool export_only = false;
  std::string launcher;
  std::string image;
  std::string nodes;
  size_t parallel = 1;
  bool stream = false;
  std::vector<std::string> skip;
};

constexpr uint64_t kMostLoad = 95;  // percent

// Parses percentages like "0,20,40" or "0%,20%" to fractions.
Result<std::vector<double>> ParseLoads(const std::string& text) {
  std::vector<double> loads;
  for (const std::string& part : SplitAt(text, ',')) {
    std::string_view digits = part;
    if (digits.ends_with('%')) digits.remove_suffix(1);
    auto percent = ParseNumber<uint64_t>(digits);
    if (!percent) {
      return InvalidInput(
          fmt::format("'{}' is not a load; write it like 0,20,40", part));
    }
    if (*percent > kMostLoad) {
      return InvalidInput(
          fmt::format("'{}' is not a load from 0 to {} (%)", part, kMostLoad));
    }
    double share = static_cast<double>(*percent) / 100;
    if (std::ranges::find(loads, share) == loads.end()) loads.push_back(share);
  }
  return loads;
}

Status CheckGpuNeeded(const std::string& text) {
  if (text == "false" || text == "0") return {};
  if (text == "true" || text == "1") {
    return Unsupported("networks run on CPUs only; leave it false");
  }
  return InvalidInput("'" + text + "' is not true or false");
}

// `stored` is the heading of the runs that were measured before.
Table SummaryTable(const CollectSummary& summary, const std::string& stored) {
  Table table({{"planned", Align::kRight},
               {stored, Align::kRight},
               {"measured", Align::kRight},
               {"failed", Align::kRight}});
  table.AddRow({std::to_string(summary.total), std::to_string(summary.found),
                std::to_string(summary.measured),
                std::to_string(summary.failed)});
  return table;
}

CollectRequest ToRequest(const CollectFlags& flags) {
  CollectRequest how{.loads = *ParseLoads(flags.load),
                     .iterations = flags.iterations,
                     .time = *ParseDuration(flags.seconds),
                     .passes = flags.passes,
                     .batch = flags.batch,
                     .seed = flags.seed,
                     .pictures = flags.image_path,
                     .mete_version = kVersion};
  for (const std::string& text : flags.skip) {
    const std::vector<SkippedRun> runs = *ParseSkipped(text);
    how.skip.insert(how.skip.end(), runs.begin(), runs.end());
  }
  return how;
}

CollectHereRequest HereRequest(const CollectFlags& flags) {
  return {.networks = flags.networks,
          .devices = flags.device,
          .how = ToRequest(flags)};
}

// Returns a complaint about flags of clusters.
std::optional<std::string> ClusterComplaint(const CollectFlags& flags) {
  if (flags.launcher.empty()) {
    if (flags.image.empty() && flags.nodes.empty()) return std::nullopt;
    return "--image and --nodes require --launcher kubernetes";
  }
  if (flags.image.empty()) {
    return "--launcher kubernetes requires --image, an image with mete in it";
  }
  if (flags.nodes.empty()) {
    return "--launcher kubernetes requires --nodes all or --nodes NAME,NAME";
  }
  if (!flags.device.empty()) {
    return "--device is for this machine; select nodes with --nodes";
  }
  if (flags.stream) return "--stream is for this machine";
  return std::nullopt;
}

// Returns a complaint if the flags do not go together.
std::optional<std::string> CollectComplaint(const CollectFlags& flags) {
  if (Status named = CheckNetworks(flags.networks); !named.ok()) {
    return "--networks " + named.error().message();
  }
  bool exports = !flags.export_table.empty() || !flags.export_csv.empty();
  if (flags.export_only && !exports) {
    return "--export-only requires --export-table or --export-csv";
  }
  if (!flags.device_type.empty() && flags.export_csv.empty()) {
    return "--device-type requires --export-csv";
  }
  return ClusterComplaint(flags);
}

Status Export(Invocation& invocation, RunStore& store,
              const CollectFlags& flags) {
  ASSIGN_OR_RETURN(ExportedTables exported,
                   ExportTables({.table = flags.export_table,
                                 .legacy_csv = flags.export_csv,
                                 .device_type = flags.device_type},
                                store));
  if (exported.rows) {
    invocation.console.Note(fmt::format(
        "wrote {} to {}", Counted(*exported.rows, "row"), flags.export_table));
  }
  if (!flags.export_csv.empty()) {
    invocation.console.Note(
        fmt::format("wrote {} (PEPPER format)", flags.export_csv));
  }
  return {};
}

// One row for each node.
Table NodesTable(const std::vector<NodeCollection>& nodes,
                 const std::string& stored) {
  Table table({{"node"},
               {"planned", Align::kRight},
               {stored, Align::kRight},
               {"measured", Align::kRight},
               {"failed", Align::kRight}});
  for (const NodeCollection& node : nodes) {
    const CollectSummary& summary = node.summary;
    table.AddRow({node.node, std::to_string(summary.total),
                  std::to_string(summary.found),
                  std::to_string(summary.measured),
                  std::to_string(summary.failed)});
  }
  return table;
}

Json NodesJson(const std::vector<NodeCollection>& nodes) {
  Json list = Json::array();
  for (const NodeCollection& node : nodes) {
    Json json = SummaryJson(node.summary);
    json["node"] = node.node;
    if (node.failure) json["failure"] = node.failure->message();
    list.push_back(std::move(json));
  }
  return list;
}

// Prints records instead of a table.
Result<ExitCode> Stream(Invocation& invocation, const CollectFlags& flags,
                        const CollectDependencies& needs) {
  const WriteLine write = [&](const std::string& line) {
    invocation.output.PrintText(line);
  };
  StreamingStore store(needs.store, write);
  const CollectDependencies streaming{
      .store = store,
      .testbeds = needs.testbeds,
      .reader = needs.reader,
      .writer = needs.writer,
      .host = needs.host,
      .clock = needs.clock,
      .new_machine_probe = needs.new_machine_probe,
      .draw_entropy = needs.draw_entropy,
      .engine_version = needs.engine_version};
  ASSIGN_OR_RETURN(CollectSummary summary,
                   CollectHere(HereRequest(flags), streaming,
                               {.on_progress =
                                    [&](const CollectProgress& progress) {
                                      write(ProgressLine(progress));
                                    },
                                .on_step = {},
                                .on_engine = {},
                                .on_note = {}},
                               invocation.stop));
  write(SummaryLine(summary));
  return summary.interrupted ? ExitCode::kInterrupted : ExitCode::kDone;
}

Result<ExitCode> CollectOnCluster(Invocation& invocation,
                                  const CollectFlags& flags,
                                  const CollectCluster& cluster) {
  ASSIGN_OR_RETURN(Launcher * launcher,
                   cluster.launchers.Find(flags.launcher, invocation.stop));
  CollectOnNodesRequest request{.image = flags.image,
                                .nodes = {},
                                .at_once = flags.parallel,
                                .networks = flags.networks,
                                .how = ToRequest(flags)};
  ASSIGN_OR_RETURN(request.nodes,
                   SelectNodes(flags.nodes, *launcher, invocation.stop));
  auto nodes =
      CollectOnNodes(request, {.store = cluster.store, .launcher = *launcher},
                     ShowCollecting(invocation.console), invocation.stop);
  invocation.console.ClearProgress();
  if (!nodes.ok()) return nodes.error();
  invocation.output.Print({
      .text = [&] { return NodesTable(*nodes, "already stored").Text(); },
      .json = [&] { return NodesJson(*nodes); },
      .csv = [&] { return NodesTable(*nodes, "found").Csv(); },
  });
  ExitCode code = ExitCode::kDone;
  for (const NodeCollection& node : *nodes) {
    for (const std::string& note : node.summary.notes) {
      invocation.console.Warn(node.node + ": " + note);
    }
    if (node.failure) {
      invocation.console.Error(node.node + ": " + node.failure->message());
      code = ExitCode::kError;
    }
  }
  RETURN_IF_ERROR(Export(invocation, cluster.store, flags));
  if (!invocation.stop.stop_requested()) return code;
  invocation.console.Note("stopped; run the same command again to resume");
  return ExitCode::kInterrupted;
}

Result<ExitCode> CollectAll(Invocation& invocation, const CollectFlags& flags,
                            const CollectDependencies& needs) {
  if (flags.stream) return Stream(invocation, flags, needs);
  bool interrupted = false;
  if (!flags.export_only) {
    Result<CollectSummary> summary =
        CollectHere(HereRequest(flags), needs,
                    ShowCollecting(invocation.console), invocation.stop);
    invocation.console.ClearProgress();
    if (!summary.ok()) return summary.error();
    invocation.output.Print({
        .text = [&] { return SummaryTable(*summary, "already stored").Text(); },
        .json = [&] { return SummaryJson(*summary); },
        .csv = [&] { return SummaryTable(*summary, "found").Csv(); },
    });
    interrupted = summary->interrupted;
  }
  RETURN_IF_ERROR(Export(invocation, needs.store, flags));
  if (!interrupted) return ExitCode::kDone;
  invocation.console.Note("stopped; run the same command again to resume");
  return ExitCode::kInterrupted;
}

void AddWhat(Command command, CollectFlags& flags) {
  command.Option("--networks", flags.networks,
                 "Networks: a folder, zoo (default), zoo:NAME,NAME or "
                 "sample:N");
  command
      .Option("--device", flags.device,
              "Devices: NAME,NAME or all (default: this machine)")
      .Placeholder("NAME[,NAME...]");
  command
      .Option("--load", flags.load,
              "Background loads in % (default 0,20,40,60,80)")
      .Check(ParseLoads, "PERCENT[,PERCENT...]");
  command
      .Option("--iterations", flags.iterations,
              "Maximum number of inferences per run (default 100)")
      .Within(1, 1'000'000);
  command.Option("--seconds", flags.seconds, "Duration of a run (default 1.5s)")
      .Check(CheckDuration, "DURATION");
  command
      .Option("--passes", flags.passes,
              "Runs of each combination; the fastest counts (default 1)")
      .Within(1, 1000);
  command
      .Option("--batch", flags.batch,
              "Batch size for inputs with an open batch dimension (default 1)")
      .Within(1, 1'000'000);
  command
      .Option("--image-path", flags.image_path,
              "Use the images (jpg, png, bmp) in this folder as input")
      .Placeholder("DIR");
  command
      .Option("--gpu-needed", flags.gpu_needed,
              "Accepted for compatibility with PEPPER; must be false")
      .Check(CheckGpuNeeded, "BOOL");
  command
      .Option("--seed", flags.seed,
              "Random seed for order, samples and inputs (default 0)")
      .Check(ParseCount, "N");
}

void AddClusterFlags(Command command, CollectFlags& flags) {
  command
      .Option("--launcher", flags.launcher,
              "Measure on the nodes of a cluster: kubernetes")
      .Check(ParseLauncher, "NAME");
  command
      .Option("--nodes", flags.nodes, "Nodes of the cluster: all, or NAME,NAME")
      .Placeholder("all|NAME[,NAME...]");
  command.Option("--image", flags.image,
                 "Image to run on the nodes, with mete in it");
  command
      .Option("--parallel", flags.parallel,
              "Nodes that measure at the same time (default 1)")
      .Within(1, 10'000);
  command.Switch("--stream", flags.stream,
                 "Print records as JSON lines while they are stored");
  command
      .Option("--skip", flags.skip,
              "Do not measure this network at these loads; repeatable")
      .Check(ParseSkipped, "NETWORK@LOAD[,LOAD...]");
}

void AddExports(Command command, CollectFlags& flags) {
  command
      .Option("--export-table", flags.export_table,
              "Write all stored runs as training data (.csv or .csv.gz)")
      .Placeholder("FILE");
  command
      .Option("--export-csv", flags.export_csv,
              "Write all stored runs in the format of the PEPPER profiler")
      .Placeholder("FILE");
  command
      .Option("--device-type", flags.device_type,
              "Device name in the PEPPER file (default: the device's name)")
      .Placeholder("NAME");
  command.Switch("--export-only", flags.export_only,
                 "Export without measuring");
}

}  // namespace

void AddCollectCommand(Command root, Verbs& verbs,
                       Lazy<CollectDependencies> dependencies,
                       Lazy<CollectCluster> cluster) {
  auto flags = std::make_shared<CollectFlags>();
  Command command = root.Add(
      "collect", "Measure many networks at several background loads",
      "mete collect --networks sample:200 --device all --load 0,40,80\n"
      "  mete collect --launcher kubernetes --nodes all --image my/mete:1\n"
      "  mete collect --networks nets --export-table latency.csv.gz");
  AddWhat(command, *flags);
  AddClusterFlags(command, *flags);
  AddExports(command, *flags);
  auto run = [=](Invocation& invocation) -> Result<ExitCode> {
    if (auto complaint = CollectComplaint(*flags)) {
      invocation.console.Error("mete collect: " + *complaint);
      return ExitCode::kUsage;
    }
    if (!flags->launcher.empty() && !flags->export_only) {
      ASSIGN_OR_RETURN(CollectCluster there, cluster());
      return CollectOnCluster(invocation, *flags, there);
    }
    ASSIGN_OR_RETURN(CollectDependencies needs, dependencies());
    return CollectAll(invocation, *flags, needs);
  };
  verbs.push_back({.command = command, .run = run, .interruptible = true});
}

}  // namespace mete
