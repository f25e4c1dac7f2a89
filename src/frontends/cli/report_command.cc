#include "cli/report_command.h"

#include <algorithm>

#include "flags/version.h"
#include "report/report_sweep.h"

namespace mete {
namespace {

struct ReportFlags {
  std::vector<std::string> sweeps;
  std::string out;
  std::string plots;  // a folder; empty: no plots
  std::string format = "svg";
};

Result<ExitCode> ReportSweepsHere(Invocation& invocation,
                                  const ReportFlags& flags,
                                  const ReportDependencies& needs) {
  ASSIGN_OR_RETURN(PictureFormat format, ParsePictureFormat(flags.format));
  // With --plots, the page is only written if --out is given too.
  bool page = flags.plots.empty() || !flags.out.empty();
  ASSIGN_OR_RETURN(
      std::string html,
      ReportSweeps({.sweeps = flags.sweeps,
                    .page = page,
                    .plots = flags.plots,
                    .format = format,
                    .mete_version = kVersion},
                   {.sweeps = needs.sweeps,
                    .plots = needs.plots,
                    .on_plot = [&](const std::filesystem::path& file) {
                      invocation.console.Note("wrote " + file.string());
                    }}));
  if (!page) return ExitCode::kDone;
  return DeliverPage(invocation, html, flags.out);
}

}  // namespace

void AddReportCommand(Command root, Verbs& verbs,
                      Lazy<ReportDependencies> dependencies) {
  Command report = root.Add("report", "Write reports as HTML pages",
                            "mete report sweep --out sweep.html");
  report.WantsSubcommand();
  auto flags = std::make_shared<ReportFlags>();
  Command sweep =
      report.Add("sweep", "Compare sweeps on one HTML page",
                 "mete report sweep 01J8 01J9 --out sweep.html\n"
                 "  mete report sweep 01J8 01J9 --plots plots --format png");
  sweep.Option("ID", flags->sweeps, "Sweep IDs (default: the newest sweep)");
  sweep.Option("--out", flags->out, "File to write (default: stdout)")
      .Placeholder("FILE");
  sweep
      .Option("--plots", flags->plots,
              "Write the plots as images to this folder (requires gnuplot)")
      .Placeholder("DIR");
  sweep
      .Option("--format", flags->format,
              "Image format of --plots: svg (default) or png")
      .Check(ParsePictureFormat, "FORMAT");
  auto run = [=](Invocation& invocation) -> Result<ExitCode> {
    std::vector<std::string> given = sweep.Given();
    bool asked = std::ranges::find(given, "--format") != given.end();
    if (asked && flags->plots.empty()) {
      invocation.console.Error("mete report sweep: --format requires --plots");
      return ExitCode::kUsage;
    }
    ASSIGN_OR_RETURN(ReportDependencies needs, dependencies());
    return ReportSweepsHere(invocation, *flags, needs);
  };
  verbs.push_back({.command = sweep, .run = run, .reads_store = true});
}

}  // namespace mete
