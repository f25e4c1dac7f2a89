// Seconds as a sum of terms, each with a factor learnt from measured rows: for
// boards of which no micro-measurements are known.
#pragma once

#include <span>
#include <vector>

#include "predict/roofline.h"

namespace mete {

// The terms of a row and the seconds it took without load.
struct FactorRow {
  RooflineTerms terms;
  double idle_seconds = 0;
};

// Factors >= 0 by least squares on relative errors, pulled towards one common
// factor where the rows do not tell the terms apart.
RooflineTerms FitFactors(std::span<const FactorRow> rows);

}  // namespace mete
