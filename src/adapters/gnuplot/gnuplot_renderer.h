// Draws pictures with gnuplot: one process per picture, with anonymous files
// for input and output.
#pragma once

#include <string>

#include "ports/plot_renderer.h"

namespace mete {

// Runs gnuplot.
class GnuplotRenderer final : public PlotRenderer {
 public:
  // A path, or a name to search in PATH.
  explicit GnuplotRenderer(std::string program = "gnuplot")
      : program_(std::move(program)) {}

  // When gnuplot fails, fails with kUnavailable and its first error line.
  Result<std::string> Render(const Drawing& drawing,
                             PictureFormat format) override;

 private:
  std::string program_;
};

}  // namespace mete
