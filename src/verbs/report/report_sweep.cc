#include "report/report_sweep.h"

#include "report/sweep_page.h"
#include "report/sweep_plots.h"
#include "support/file.h"
#include "support/nearest.h"

namespace mete {
namespace {

Result<std::vector<Sweep>> FindSweeps(SweepStore& store,
                                      const std::vector<std::string>& ids) {
  if (ids.empty()) {
    ASSIGN_OR_RETURN(std::vector<Sweep> all, store.ListSweeps());
    if (all.empty()) {
      return NotFound("there is no sweep yet; see mete sweep --help");
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

const char* FileEnding(PictureFormat format) {
  return format == PictureFormat::kSvg ? ".svg" : ".png";
}

Status WritePlots(const std::vector<Sweep>& sweeps,
                  const SweepReportRequest& request,
                  const SweepReportDependencies& needs) {
  std::vector<Drawing> drawings = SweepDrawings(sweeps);
  if (drawings.empty()) return NotFound("the sweeps have nothing to plot yet");
  RETURN_IF_ERROR(MakeFolder(request.plots));
  for (const Drawing& drawing : drawings) {
    ASSIGN_OR_RETURN(std::string picture,
                     needs.plots.Render(drawing, request.format));
    std::filesystem::path file =
        request.plots / (drawing.name + FileEnding(request.format));
    RETURN_IF_ERROR(WriteFileAtomically(file, picture));
    if (needs.on_plot) needs.on_plot(file);
  }
  return {};
}

}  // namespace

Result<PictureFormat> ParsePictureFormat(const std::string& name) {
  if (name == "svg") return PictureFormat::kSvg;
  if (name == "png") return PictureFormat::kPng;
  return InvalidInput("'" + name + "' is not svg or png" +
                      DidYouMean(name, {"svg", "png"}));
}

Result<std::string> ReportSweeps(const SweepReportRequest& request,
                                 const SweepReportDependencies& needs) {
  ASSIGN_OR_RETURN(std::vector<Sweep> sweeps,
                   FindSweeps(needs.sweeps, request.sweeps));
  if (!request.plots.empty()) {
    RETURN_IF_ERROR(WritePlots(sweeps, request, needs));
  }
  if (!request.page) return std::string();
  return SweepPage(sweeps, request.mete_version);
}

}  // namespace mete
