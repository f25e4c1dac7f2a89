// Port: draws plots as pictures that stand in a file of their own.
#pragma once

#include <string>

#include "domain/plot.h"
#include "support/result.h"

namespace mete {

enum class PictureFormat { kSvg, kPng };

// One thread at a time.
class PlotRenderer {
 public:
  virtual ~PlotRenderer() = default;
  // The whole file. Fails with kUnavailable and what to do when what draws is
  // not there or gives up.
  virtual Result<std::string> Render(const Drawing& drawing,
                                     PictureFormat format) = 0;
};

}  // namespace mete
