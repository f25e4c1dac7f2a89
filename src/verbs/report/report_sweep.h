// Stored sweeps as one page and as picture files.
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

// "svg" or "png". Fails with kInvalidInput and the nearest spelling.
Result<PictureFormat> ParsePictureFormat(const std::string& name);

struct SweepReportRequest {
  // Ids, or unambiguous beginnings of some. Empty: the newest sweep.
  std::vector<std::string> sweeps;
  bool page = true;
  // Folder for one picture per plot, made when absent. Empty: no pictures.
  std::filesystem::path plots;
  PictureFormat format = PictureFormat::kSvg;
  std::string mete_version;
};

struct SweepReportDependencies {
  SweepStore& sweeps;
  PlotRenderer& plots;
  // Called after each picture file; may be empty.
  std::function<void(const std::filesystem::path&)> on_plot;
};

// The page (HTML), empty when none was requested. Fails with kNotFound when
// there is no such sweep, or nothing to plot.
Result<std::string> ReportSweeps(const SweepReportRequest& request,
                                 const SweepReportDependencies& needs);

}  // namespace mete
