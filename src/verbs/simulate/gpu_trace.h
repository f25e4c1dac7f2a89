// The nodes and pods of a GPU cluster, from CSV files in the format of the
// Alibaba traces that come with FGD.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gpu_packing/gpu_node.h"
#include "support/result.h"

namespace mete {

// A cluster and the pods that are drawn from.
struct GpuTrace {
  // Nodes with GPUs in the order of their names, empty.
  std::vector<FreeNode> nodes;
  std::vector<PodShape> pods;     // in the order of the file
  size_t nodes_without_gpus = 0;  // left out
  // Pods that do not even fit on an empty node, and the first one's name.
  size_t too_large = 0;
  std::string first_too_large;

  int64_t GpuMilli() const;  // of all nodes
  int MostGpus() const;      // of a pod
};

// The texts of both files.
struct GpuTraceTexts {
  std::string_view nodes;
  std::string_view pods;
};

// Columns of nodes: sn, cpu_milli, memory_mib, gpu (their number) and model
// (the type of the GPUs). Columns of pods: name, cpu_milli, memory_mib,
// num_gpu, gpu_milli (of each GPU) and, optionally, gpu_spec (types on which
// the pod runs, separated by "|"; empty: all). Other columns are ignored. Fails
// with kInvalidInput, naming the file's kind and the line, if a column is
// missing, a number is not valid, a name appears twice, or there is nothing to
// place or no GPU.
Result<GpuTrace> ParseGpuTrace(const GpuTraceTexts& texts);

// The same from files. Fails also like ReadFile.
Result<GpuTrace> ReadGpuTrace(const std::string& nodes,
                              const std::string& pods);

}  // namespace mete
