// The reference networks in the names of workloads: mete-torch trains them and
// infers with them, and writes them as NETWORK-DATASET.onnx.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace mete {

// The name of a sweep of mete-torch, "CNN_1d train CWRU": network, what is done
// with it and the data. Absent: another program, or neither train nor infer.
std::optional<std::string> TorchWorkloadName(
    const std::vector<std::string>& arguments);

// Fails with kInvalidInput when mete-torch would train into a checkpoint: the
// second run would find everything done.
Status CheckSweepable(const std::vector<std::string>& arguments);

enum class ReferenceTask { kTrain, kInfer, kOnnx };

struct ReferenceWorkload {
  std::string network;
  ReferenceTask task = ReferenceTask::kTrain;
  std::string dataset;
};
// What the name of a workload tells: "CNN_1d infer CWRU", or "CNN_1d-CWRU" of a
// swept network file. Absent: it is no reference network.
std::optional<ReferenceWorkload> FindReference(const std::string& workload);

// "training", "libtorch inference", "ONNX Runtime", with the data.
std::string TaskText(const ReferenceWorkload& reference);

}  // namespace mete
