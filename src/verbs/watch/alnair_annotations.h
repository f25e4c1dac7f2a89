// Annotations with the keys and value shapes of Alnair's profiler, so that what
// reads them keeps working. docs/reference/watch.md lists them.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "domain/cluster_object.h"
#include "support/clock.h"
#include "watch/analyze_usage.h"
#include "watch/python_dict.h"

namespace mete {

inline constexpr std::string_view kAlnairPrefix = "ai.centaurus.io/";

// A key with the prefix. Kubernetes allows 63 characters after it; longer names
// are cut and end in a part of their hash.
std::string AlnairKey(const std::string& name);

// A GPU of a node.
struct GpuView {
  std::string index;
  const GpuUsage& usage;
  const SubjectAnalysis* analysis = nullptr;  // null: nothing was measured
};

// gpu-static and gpu-<index>. Empty without GPUs.
LabelMap AlnairNodeAnnotations(const std::vector<GpuView>& gpus);

// The values of a pod without prefix: "cpu_util" -> "271.82". Maxima of the
// window. `uid` finds the pod's own processes on the GPUs; it may be empty.
struct PodView {
  std::string node;
  std::string uid;
  const SubjectAnalysis& analysis;
  std::vector<GpuView> gpus;  // that it uses
};
PythonDict AlnairPodValues(const PodView& pod);

// Keeps the larger of each number, and numbers that are only in one of them.
// `old_text` is the stored value; one that cannot be read is replaced.
std::string MergeMaxima(const std::string& old_text, PythonDict now);

// True for keys that AlnairNodeAnnotations and pod values produce: those may be
// removed when they are stale. Keys of Alnair's device plugin and scheduler are
// not among them.
bool IsAlnairProfileKey(std::string_view key);

}  // namespace mete
