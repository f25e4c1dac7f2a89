// Predicts latency as a sum of terms, each with a factor learnt from measured
// rows. For boards without micro-measurements.
#pragma once

#include <span>
#include <vector>

#include "predict/roofline.h"

namespace mete {

// The terms of a row and its measured seconds without load.
struct FactorRow {
  RooflineTerms terms;
  double idle_seconds = 0;
};

// Fits factors >= 0 by least squares on relative errors. Factors that the rows
// do not determine are pulled towards one common factor.
RooflineTerms FitFactors(std::span<const FactorRow> rows);

}  // namespace mete
