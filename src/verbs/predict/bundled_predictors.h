// The predictors bundled with the program. They were trained from the table in
// examples/latency-starter.
#pragma once

#include <string_view>

#include "predict/predictor_files.h"

namespace mete {

extern const std::string_view kBundledFull;
extern const std::string_view kBundledCounts;

inline BundledPredictors TheBundledPredictors() {
  return {.full = kBundledFull, .counts = kBundledCounts};
}

}  // namespace mete
