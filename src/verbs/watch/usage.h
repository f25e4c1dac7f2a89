// The usage of nodes, pods and GPUs over the analyzed window.
#pragma once

#include <compare>
#include <map>
#include <string>
#include <vector>

#include "analyze/analyze_series.h"

namespace mete {

// Series by the name of their metric: "cpu".
using SeriesByName = std::map<std::string, TimeSeries, std::less<>>;

// Names a pod.
struct PodKey {
  std::string space;  // the namespace
  std::string name;
  auto operator<=>(const PodKey&) const = default;
};

// Names a GPU: a node and the index of the GPU in it.
struct GpuKey {
  std::string node;
  std::string index;
  auto operator<=>(const GpuKey&) const = default;
};

// A process on a GPU.
struct ProcessOnGpu {
  std::string pid;
  std::string pod_uid;  // "" outside of pods
  double memory = 0;    // bytes, the latest
};

struct GpuUsage {
  std::string model;  // "Tesla K80"; "" when not reported
  SeriesByName series;
  std::vector<PodKey> pods;  // that use it, as far as the exporter says
  std::vector<ProcessOnGpu> processes;
};

// Everything that was measured. What was not measured is absent.
struct Usage {
  std::map<std::string, SeriesByName> nodes;
  std::map<PodKey, SeriesByName> pods;
  std::map<GpuKey, GpuUsage> gpus;
  // Queries that the server rejected; a retry does not help.
  std::vector<std::string> rejected;
};

}  // namespace mete
