// What the plots of sweeps show: the least memory side by side, what limits
// cost in time, and what no other limits beat.
#pragma once

#include <string>
#include <vector>

#include "domain/plot.h"
#include "domain/sweep.h"

namespace mete {

// All that there is to draw, the most telling first. Names differ.
std::vector<Drawing> SweepDrawings(const std::vector<Sweep>& sweeps);

enum class SweptLimit { kMemory, kCpus };
// What takes time: the whole run, or one of its steps.
enum class TimedPart { kRun, kEpoch, kInference, kOtherStep };

// Limit against mean seconds, with the 90 % confidence interval of the mean
// where a limit was run several times. A curve for each sweep; of one along
// both limits a curve for each value of the other. Sweeps along another limit
// or without such a part are left out.
Plot TimePlot(const std::vector<Sweep>& sweeps, SweptLimit limit,
              TimedPart part);

// The least memory of every sweep that has one; reference networks in a group
// each, whether trained, run by libtorch or by ONNX Runtime.
BarChart LeastMemory(const std::vector<Sweep>& sweeps);

// Memory limit against time of what no other limits beat, a curve for each
// value of the CPUs, before the rest. Of sweeps along both limits.
Plot ParetoPlot(const std::vector<Sweep>& sweeps);

}  // namespace mete
