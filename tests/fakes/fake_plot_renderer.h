// A PlotRenderer whose images contain only the name of the plot.
#pragma once

#include <optional>
#include <string>

#include "ports/plot_renderer.h"

namespace mete {

class FakePlotRenderer final : public PlotRenderer {
 public:
  std::optional<Error> failure;  // of every image

  Result<std::string> Render(const Drawing& drawing,
                             PictureFormat format) override {
    if (failure) return *failure;
    return drawing.name + (format == PictureFormat::kSvg ? " svg" : " png");
  }
};

}  // namespace mete
