#include "cli/runs_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "collect/export_import.h"
#include "domain/run_json.h"
#include "measure/run_table.h"
#include "report/report_run.h"
#include "support/json.h"
#include "support/units.h"

namespace mete {
namespace {

struct RunsFlags {
  std::string id;
  std::string workload;
  std::string device;
  size_t limit = 20;
  bool samples = false;
  std::string out;
  std::string file;
};

RunFilter MakeFilter(const RunsFlags& flags, size_t limit) {
  RunFilter filter{.limit = limit};
  if (!flags.workload.empty()) filter.workload = flags.workload;
  if (!flags.device.empty()) filter.device = flags.device;
  return filter;
}

void AddFilterFlags(Command command, RunsFlags& flags) {
  command.Option("--workload", flags.workload, "Only runs of this workload");
  command.Option("--device", flags.device, "Only runs on this device");
}

Json RunListJson(const std::vector<Run>& runs) {
  Json json = Json::array();
  for (const Run& run : runs) json.push_back(RunToJson(run));
  return json;
}

Json WithSamples(const Run& run) {
  Json json = RunToJson(run);
  json["samples"] =
      run.network() ? run.network()->samples : std::vector<double>();
  return json;
}

Result<ExitCode> PrintRunList(Invocation& invocation, RunStore& store,
                              const RunsFlags& flags) {
  ASSIGN_OR_RETURN(auto runs, store.ListRuns(MakeFilter(flags, flags.limit)));
  bool filtered = !flags.workload.empty() || !flags.device.empty();
  if (runs.empty()) {
    invocation.console.Note(filtered
                                ? "no matching runs"
                                : "no runs yet; try: mete measure NET.onnx");
  }
  auto emulated = [](const Run& run) {
    return run.device_name.ends_with("(emulated)");
  };
  if (invocation.output.format() == OutputFormat::kTable &&
      std::ranges::any_of(runs, emulated)) {
    invocation.console.Note("* an emulated device");
  }
  invocation.output.Print({
      .text = [&] { return RunListTable(runs).Text(); },
      .json = [&] { return RunListJson(runs); },
      .csv = [&] { return RunCsv(runs); },
  });
  return ExitCode::kDone;
}

Result<ExitCode> PrintOneRun(Invocation& invocation, RunStore& store,
                             const RunsFlags& flags) {
  ASSIGN_OR_RETURN(Run run, store.FindRun(flags.id));
  invocation.output.Print({
      .text = [&] { return RunText(run); },
      .json = [&] { return flags.samples ? WithSamples(run) : RunToJson(run); },
      .csv = [&] { return RunCsv({run}); },
  });
  return ExitCode::kDone;
}

// Writes the run as an HTML page to a file or to stdout.
Result<ExitCode> PrintRunReport(Invocation& invocation, RunStore& store,
                                const RunsFlags& flags) {
  ASSIGN_OR_RETURN(RunReport report, ReportRun(flags.id, store));
  if (!report.warning.empty()) invocation.console.Warn(report.warning);
  return DeliverPage(invocation, report.page, flags.out);
}

Result<ExitCode> PrintImport(Invocation& invocation, RunStore& store,
                             const RunsFlags& flags) {
  ASSIGN_OR_RETURN(ImportCounts counts, ImportRunsFromFile(store, flags.file));
  auto table = [&](const std::string& stored) {
    Table made({{"devices", Align::kRight},
                {"networks", Align::kRight},
                {"runs", Align::kRight},
                {stored, Align::kRight}});
    made.AddRow({std::to_string(counts.devices),
                 std::to_string(counts.networks), std::to_string(counts.runs),
                 std::to_string(counts.known)});
    return made;
  };
  invocation.output.Print({
      .text = [&] { return table("already stored").Text(); },
      .json =
          [&] {
            Json json;
            json["devices"] = counts.devices;
            json["networks"] = counts.networks;
            json["runs"] = counts.runs;
            json["known"] = counts.known;
            return json;
          },
      .csv = [&] { return table("known").Csv(); },
  });
  return ExitCode::kDone;
}

// Writes JSON Lines, one line per run, unless CSV is selected. Samples are read
// run by run to bound memory use.
Result<ExitCode> PrintExport(Invocation& invocation, RunStore& store,
                             const RunsFlags& flags) {
  if (!flags.file.empty()) {
    // Export everything that another store needs to import the runs.
    ASSIGN_OR_RETURN(size_t lines,
                     ExportRunsToFile(store, MakeFilter(flags, 0), flags.file));
    invocation.console.Note(
        fmt::format("wrote {} to {}", Counted(lines, "line"), flags.file));
    return ExitCode::kDone;
  }
  ASSIGN_OR_RETURN(auto runs, store.ListRuns(MakeFilter(flags, 0)));
  if (invocation.output.format() == OutputFormat::kCsv) {
    invocation.output.PrintText(RunCsv(runs));
    return ExitCode::kDone;
  }
  for (const Run& listed : runs) {
    ASSIGN_OR_RETURN(Run run, store.FindRun(listed.id));
    invocation.output.PrintText(WithSamples(run).dump() + "\n");
  }
  return ExitCode::kDone;
}

using RunsAction = Result<ExitCode> (*)(Invocation&, RunStore&,
                                        const RunsFlags&);

}  // namespace

void AddRunsCommand(Command root, Verbs& verbs,
                    Lazy<RunsDependencies> dependencies) {
  Command runs = root.Add("runs", "Manage stored runs", "mete runs list");
  runs.WantsSubcommand();
  auto add = [&](Command command, std::shared_ptr<RunsFlags> flags,
                 RunsAction action, bool reads = true) {
    auto run = [=](Invocation& invocation) -> Result<ExitCode> {
      ASSIGN_OR_RETURN(RunsDependencies needs, dependencies());
      return action(invocation, needs.store, *flags);
    };
    verbs.push_back({.command = command, .run = run, .reads_store = reads});
  };

  auto list_flags = std::make_shared<RunsFlags>();
  Command list = runs.Add("list", "List the newest runs",
                          "mete runs list --workload resnet18");
  AddFilterFlags(list, *list_flags);
  list.Option("--limit", list_flags->limit,
              "Maximum number of runs (default 20; 0: all)")
      .Check(ParseCount, "N");
  add(list, list_flags, PrintRunList);

  auto show_flags = std::make_shared<RunsFlags>();
  Command show = runs.Add("show", "Show all details of a run",
                          "mete runs show 01J8 -o json");
  show.Option("ID", show_flags->id, "Run ID or a unique prefix").Required();
  show.Switch("--samples", show_flags->samples,
              "Include every measured latency (-o json)");
  add(show, show_flags, PrintOneRun);

  auto report_flags = std::make_shared<RunsFlags>();
  Command report = runs.Add("report", "Write a run as an HTML page",
                            "mete runs report 01J8 --out report.html");
  report.Option("ID", report_flags->id, "Run ID or a unique prefix").Required();
  report.Option("--out", report_flags->out, "File to write (default: stdout)")
      .Placeholder("FILE");
  add(report, report_flags, PrintRunReport);

  auto export_flags = std::make_shared<RunsFlags>();
  Command all = runs.Add(
      "export", "Export runs as JSON Lines (with samples) or CSV (without)",
      "mete runs export -o csv > runs.csv");
  all.Option("FILE", export_flags->file,
             "Write to this file, including devices and networks, for mete "
             "runs import");
  AddFilterFlags(all, *export_flags);
  add(all, export_flags, PrintExport);

  auto import_flags = std::make_shared<RunsFlags>();
  Command import = runs.Add("import", "Import runs from another store",
                            "mete runs import pi.jsonl");
  import
      .Option("FILE", import_flags->file,
              "File written by mete runs export FILE")
      .Required();
  add(import, import_flags, PrintImport, false);
}

}  // namespace mete
