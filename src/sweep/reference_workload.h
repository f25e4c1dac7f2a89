// The reference networks in the names of workloads: mete-torch trains them and
// infers with them, and writes them as NETWORK-DATASET.onnx.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mete {

inline constexpr std::string_view kTorchProgram = "mete-torch";

// What mete-torch takes when it is not told.
inline constexpr const char* kUsualNetwork = "CNN_1d";
inline constexpr const char* kUsualDataSet = "synthetic";

// The name of a sweep of mete-torch, "CNN_1d train CWRU": network, what is done
// with it and the data. Absent: another program, or neither train nor infer.
std::optional<std::string> TorchWorkloadName(
    const std::vector<std::string>& words);

enum class ReferenceTask { kTrain, kInfer, kOnnx };

struct ReferenceWorkload {
  std::string network;
  ReferenceTask task = ReferenceTask::kTrain;
  std::string dataset;  // may be empty
};
// What the name of a workload tells: "CNN_1d infer CWRU", or "CNN_1d-CWRU" of a
// swept network file. Absent: it is no reference network.
std::optional<ReferenceWorkload> ReferenceOf(const std::string& workload);

// "training", "libtorch inference", "ONNX Runtime inference", with the data.
std::string TaskText(const ReferenceWorkload& reference);

}  // namespace mete
