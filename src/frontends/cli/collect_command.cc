#include "cli/collect_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/show_collecting.h"
#include "collect/collect_here.h"
#include "config/settings.h"
#include "flags/version.h"
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

Json SummaryJson(const CollectSummary& summary) {
  Json json;
  json["planned"] = summary.total;
  json["found"] = summary.found;
  json["measured"] = summary.measured;
  json["failed"] = summary.failed;
  json["notes"] = summary.notes;
  return json;
}

CollectHereRequest ToRequest(const CollectFlags& flags) {
  return {.networks = flags.networks,
          .devices = flags.device,
          .how = {.loads = *ParseLoads(flags.load),
                  .iterations = flags.iterations,
                  .time = *ParseDuration(flags.seconds),
                  .passes = flags.passes,
                  .batch = flags.batch,
                  .seed = flags.seed,
                  .pictures = flags.image_path,
                  .mete_version = kVersion}};
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
  return std::nullopt;
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

Result<ExitCode> CollectAll(Invocation& invocation, const CollectFlags& flags,
                            const CollectDependencies& needs) {
  bool interrupted = false;
  if (!flags.export_only) {
    Result<CollectSummary> summary =
        CollectHere(ToRequest(flags), needs, ShowCollecting(invocation.console),
                    invocation.stop);
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
                 "Networks: a folder, zoo (default) or sample:N");
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
                       Lazy<CollectDependencies> dependencies) {
  auto flags = std::make_shared<CollectFlags>();
  Command command = root.Add(
      "collect", "Measure many networks at several background loads",
      "mete collect --networks sample:200 --device all --load 0,40,80\n"
      "  mete collect --networks nets --export-table latency.csv.gz");
  AddWhat(command, *flags);
  AddExports(command, *flags);
  auto run = [flags, dependencies](Invocation& invocation) -> Result<ExitCode> {
    if (auto complaint = CollectComplaint(*flags)) {
      invocation.console.Error("mete collect: " + *complaint);
      return ExitCode::kUsage;
    }
    ASSIGN_OR_RETURN(CollectDependencies needs, dependencies());
    return CollectAll(invocation, *flags, needs);
  };
  verbs.push_back({.command = command, .run = run, .interruptible = true});
}

}  // namespace mete
