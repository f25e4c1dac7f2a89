// mete report sweep: stored sweeps as one page.
#include "cli/verb.h"
#include "cli/version.h"
#include "report/sweep_page.h"

namespace mete {
namespace {

struct ReportFlags {
  std::vector<std::string> sweeps;
  std::string out;
};

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

Result<ExitCode> Report(Invocation& invocation, const ReportFlags& flags) {
  ASSIGN_OR_RETURN(SweepStore * store, invocation.services.Sweeps());
  ASSIGN_OR_RETURN(std::vector<Sweep> sweeps, Chosen(*store, flags.sweeps));
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
                 "mete report sweep 01J8 01J9 --out sweep.html");
  sweep.Option("ID", flags->sweeps, "Ids (default: the newest)");
  sweep.Option("--out", flags->out, "File to write (default: stdout)");
  verbs.push_back({.command = sweep, .run = [flags](Invocation& invocation) {
                     return Report(invocation, *flags);
                   }});
}

}  // namespace mete
