// Recognises reference networks by workload name. mete-torch trains them, runs
// their inference and exports them as NETWORK-DATASET.onnx.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"
#include "support/units.h"

namespace mete {

// The workload name of a mete-torch command, such as "CNN_1d train CWRU":
// network, task and dataset. Absent for other programs and other tasks.
std::optional<std::string> TorchWorkloadName(
    const std::vector<std::string>& arguments);

// Fails with kInvalidInput when the command trains into a checkpoint without
// --fresh: the second run would find the training already done.
Status CheckSweepable(const std::vector<std::string>& arguments);

// Whether the command runs the inference of a network with mete-torch.
bool IsTorchInference(const std::vector<std::string>& arguments);

// Adds --duration to a mete-torch command that runs inference and does not say
// how long: under a CPU limit, its usual 100 iterations may be over before the
// limit has any effect.
void LengthenInference(Seconds duration, std::vector<std::string>& arguments);

// The task a workload performs with a reference network.
enum class ReferenceTask { kTrain, kInfer, kOnnx };

// A workload that uses a reference network.
struct ReferenceWorkload {
  std::string network;
  ReferenceTask task = ReferenceTask::kTrain;
  std::string dataset;
};
// Parses a workload name: "CNN_1d infer CWRU", or "CNN_1d-CWRU" for a swept
// network file. Absent when it is not a reference network.
std::optional<ReferenceWorkload> FindReference(const std::string& workload);

// "training", "libtorch inference" or "ONNX Runtime", followed by the dataset.
std::string TaskText(const ReferenceWorkload& reference);

}  // namespace mete
