// Pictures drawn by gnuplot: a process for each, fed and read through files
// that have no name.
#pragma once

#include <string>

#include "ports/plot_renderer.h"

namespace mete {

class GnuplotRenderer final : public PlotRenderer {
 public:
  // The program by path, or by name to be looked for in PATH.
  explicit GnuplotRenderer(std::string program = "gnuplot")
      : program_(std::move(program)) {}

  // Fails with kUnavailable and its first error line when gnuplot does.
  Result<std::string> Render(const Drawing& drawing,
                             PictureFormat format) override;

 private:
  std::string program_;
};

}  // namespace mete
