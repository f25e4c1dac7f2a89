// The predictors that came with the program, trained from the table under
// examples/latency-starter.
#pragma once

#include <string_view>

#include "predict/predictor_files.h"

namespace mete {

extern const std::string_view kStarterFull;
extern const std::string_view kStarterCounts;

inline Starters TheStarters() {
  return {.full = kStarterFull, .counts = kStarterCounts};
}

}  // namespace mete
