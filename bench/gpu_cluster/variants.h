// Traces with other mixes of pods, derived from one trace.
#pragma once

#include <string>
#include <vector>

#include "simulate/gpu_trace.h"

namespace mete::bench {

// A derived trace and what is different.
struct TraceVariant {
  std::string name;
  GpuTrace trace;
};

// Pods are drawn again so that parts of GPUs, whole ones, or several GPUs make
// up another share of the demand; there are fewer or more pods without GPUs;
// some pods run on one or two types of GPU only; nodes have less CPU; pods
// require more memory. Always the same.
std::vector<TraceVariant> MakeVariants(const GpuTrace& trace);

}  // namespace mete::bench
