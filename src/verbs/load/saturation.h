// Whether a service kept up with its load during a window.
#pragma once

#include "load/load_samples.h"
#include "load/load_summary.h"

namespace mete {

// Judges the samples of one target. The rule is derived in saturation.cc.
SaturationVerdict JudgeSaturation(const LoadSamples& samples);

}  // namespace mete
