// The plots of sweeps: minimum memory side by side, time by limit, and the
// Pareto front.
#pragma once

#include <string>
#include <vector>

#include "domain/plot.h"
#include "domain/sweep.h"

namespace mete {

// All available plots, the most informative first. Their names are unique.
std::vector<Drawing> SweepDrawings(const std::vector<Sweep>& sweeps);

// The limit on the x axis.
enum class SweptLimit { kMemory, kCpus };
// The duration on the y axis: the whole run, or one of its steps.
enum class TimedPart { kRun, kEpoch, kInference, kOtherStep };

// Limit against mean seconds, with the 95 % confidence interval of the mean
// where it is known. Each sweep has one curve; a sweep along
// both limits has one curve per value of the other limit. Sweeps along another
// limit or without such a part are left out.
Plot TimePlot(const std::vector<Sweep>& sweeps, SweptLimit limit,
              TimedPart part);

// The minimum memory of every sweep that has one. Reference networks are
// grouped: each group shows training, libtorch and ONNX Runtime.
BarChart LeastMemory(const std::vector<Sweep>& sweeps);

// Memory limit against time of the points on the Pareto front, with one curve
// per CPU limit, in front of the other points; those that may belong to the
// front are marked. Only for sweeps along both
// limits.
Plot ParetoPlot(const std::vector<Sweep>& sweeps);

}  // namespace mete
