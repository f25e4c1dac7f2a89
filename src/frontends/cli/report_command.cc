// mete report sweep: stored sweeps as one page, and as pictures.
#include <algorithm>

#include "cli/unconverted_commands.h"
#include "cli/verb.h"
#include "flags/version.h"
#include "report/sweep_page.h"
#include "report/sweep_plots.h"
#include "support/file.h"
#include "support/nearest.h"

namespace mete {
namespace {

struct ReportFlags {
  std::vector<std::string> sweeps;
  std::string out;
  std::string plots;  // a folder; empty: none are wanted
  std::string format = "svg";
};

Result<PictureFormat> ParsePictureFormat(const std::string& word) {
  if (word == "svg") return PictureFormat::kSvg;
  if (word == "png") return PictureFormat::kPng;
  return InvalidInput("'" + word + "' is not svg or png" +
                      DidYouMean(word, {"svg", "png"}));
}

Result<std::vector<Sweep>> Chosen(SweepStore& store,
                                  const std::vector<std::string>& ids) {
  if (ids.empty()) {
    ASSIGN_OR_RETURN(std::vector<Sweep> all, store.ListSweeps());
    if (all.empty()) {
      return NotFound("there is no sweep yet; mete sweep --help makes one");
    }
    all.resize(1);
    return all;
  }
  std::vector<Sweep> sweeps;
  for (const std::string& id : ids) {
    ASSIGN_OR_RETURN(Sweep sweep, store.FindSweep(id));
    sweeps.push_back(std::move(sweep));
  }
  return sweeps;
}

// A file for each plot.
Status DrawPlots(Invocation& invocation, const std::vector<Sweep>& sweeps,
                 const ReportFlags& flags) {
  ASSIGN_OR_RETURN(PictureFormat format, ParsePictureFormat(flags.format));
  std::vector<Drawing> drawings = SweepDrawings(sweeps);
  if (drawings.empty()) return NotFound("the sweeps have nothing to plot yet");
  RETURN_IF_ERROR(MakeFolder(flags.plots));
  for (const Drawing& drawing : drawings) {
    ASSIGN_OR_RETURN(std::string picture,
                     invocation.services.Plots().Render(drawing, format));
    std::filesystem::path file = flags.plots;
    file /= drawing.name + "." + flags.format;
    RETURN_IF_ERROR(WriteFileAtomically(file, picture));
    invocation.talk.Note("plot " + file.string());
  }
  return {};
}

Result<ExitCode> Report(Invocation& invocation, const ReportFlags& flags) {
  ASSIGN_OR_RETURN(SweepStore * store, invocation.services.Sweeps());
  ASSIGN_OR_RETURN(std::vector<Sweep> sweeps, Chosen(*store, flags.sweeps));
  if (!flags.plots.empty()) {
    RETURN_IF_ERROR(DrawPlots(invocation, sweeps, flags));
    if (flags.out.empty()) return ExitCode::kDone;  // no page was asked for
  }
  return DeliverPage(invocation, SweepPage(sweeps, kVersion), flags.out);
}

}  // namespace

void AddReportCommand(Command root, Verbs& verbs) {
  Command report = root.Add("report", "What was found, as a page",
                            "mete report sweep --out sweep.html");
  report.WantsSubcommand();
  auto flags = std::make_shared<ReportFlags>();
  Command sweep =
      report.Add("sweep", "Sweeps side by side: floors and times by limit",
                 "mete report sweep 01J8 01J9 --out sweep.html\n"
                 "  mete report sweep 01J8 01J9 --plots plots --format png");
  sweep.Option("ID", flags->sweeps, "Ids (default: the newest)");
  sweep.Option("--out", flags->out, "File to write (default: stdout)");
  sweep.Option("--plots", flags->plots,
               "Folder for the plots as pictures (needs gnuplot)");
  sweep.Option("--format", flags->format, "Of the plots: svg (default) or png")
      .Check(ParsePictureFormat, "FORMAT");
  auto run = [=](Invocation& invocation) -> Result<ExitCode> {
    std::vector<std::string> given = sweep.Given();
    bool asked = std::ranges::find(given, "--format") != given.end();
    if (asked && flags->plots.empty()) {
      invocation.talk.Error("mete report sweep: --format is for --plots");
      return ExitCode::kUsage;
    }
    return Report(invocation, *flags);
  };
  verbs.push_back({.command = sweep, .run = run});
}

}  // namespace mete
