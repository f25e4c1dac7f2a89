// Reports stored sweeps as one page and as image files.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ports/plot_renderer.h"
#include "ports/sweep_store.h"
#include "support/result.h"

namespace mete {

// Accepts "svg" or "png". Fails with kInvalidInput and suggests the nearest
// spelling.
Result<PictureFormat> ParsePictureFormat(const std::string& name);

// Which sweeps to report and what to write.
struct SweepReportRequest {
  // Ids or unambiguous prefixes of ids. Empty: the newest sweep.
  std::vector<std::string> sweeps;
  bool page = true;
  // Folder for one image per plot, created if absent. Empty: no images.
  std::filesystem::path plots;
  PictureFormat format = PictureFormat::kSvg;
  std::string mete_version;
};

// Ports for reporting sweeps.
struct SweepReportDependencies {
  SweepStore& sweeps;
  PlotRenderer& plots;
  // Called after each image file. May be empty.
  std::function<void(const std::filesystem::path&)> on_plot;
};

// Returns the page (HTML), or "" if none was requested. Fails with kNotFound
// when there is no such sweep or nothing to plot.
Result<std::string> ReportSweeps(const SweepReportRequest& request,
                                 const SweepReportDependencies& needs);

}  // namespace mete
