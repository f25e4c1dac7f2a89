// Port: draws plots as picture files.
#pragma once

#include <string>

#include "domain/plot.h"
#include "support/result.h"

namespace mete {

// Supported file formats.
enum class PictureFormat { kSvg, kPng };

// Draws plots. Not thread-safe.
class PlotRenderer {
 public:
  virtual ~PlotRenderer() = default;
  // The contents of the file. Fails with kUnavailable and advice when the
  // drawing program is missing or fails.
  virtual Result<std::string> Render(const Drawing& drawing,
                                     PictureFormat format) = 0;
};

}  // namespace mete
