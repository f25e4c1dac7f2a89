#include "sweep/reference_workload.h"

#include <algorithm>
#include <filesystem>

#include "bearing/architecture.h"
#include "support/check.h"
#include "support/text.h"

namespace mete {
namespace {

// The value of "--flag value" or "--flag=value"; the last one counts.
std::string ValueOf(const std::vector<std::string>& words,
                    const std::string& flag, const std::string& usual) {
  std::string value = usual;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i].starts_with(flag + "="))
      value = words[i].substr(flag.size() + 1);
    if (words[i] == flag && i + 1 < words.size()) value = words[i + 1];
  }
  return value;
}

bool IsReference(const std::string& network) {
  const std::vector<std::string>& known = ArchitectureNames();
  return std::ranges::find(known, network) != known.end();
}

}  // namespace

std::optional<std::string> TorchWorkloadName(
    const std::vector<std::string>& words) {
  if (words.size() < 2) return std::nullopt;
  if (std::filesystem::path(words[0]).filename() != kTorchProgram) {
    return std::nullopt;
  }
  const std::string& task = words[1];
  if (task != "train" && task != "infer") return std::nullopt;
  return ValueOf(words, "--network", kUsualNetwork) + " " + task + " " +
         ValueOf(words, "--dataset", kUsualDataSet);
}

std::optional<ReferenceWorkload> ReferenceOf(const std::string& workload) {
  std::vector<std::string> words = SplitAt(workload, ' ');
  bool torch = (words.size() == 2 || words.size() == 3) && !words[0].empty() &&
               (words[1] == "train" || words[1] == "infer");
  if (torch) {
    return ReferenceWorkload{.network = words[0],
                             .task = words[1] == "train"
                                         ? ReferenceTask::kTrain
                                         : ReferenceTask::kInfer,
                             .dataset = words.size() == 3 ? words[2] : ""};
  }
  size_t dash = workload.find('-');
  std::string network = workload.substr(0, dash);
  // Other networks have dashes too: mobilenet-v2.
  if (dash == std::string::npos || !IsReference(network)) return std::nullopt;
  return ReferenceWorkload{.network = network,
                           .task = ReferenceTask::kOnnx,
                           .dataset = workload.substr(dash + 1)};
}

std::string TaskText(const ReferenceWorkload& reference) {
  auto text = [&]() -> std::string {
    switch (reference.task) {
      case ReferenceTask::kTrain:
        return "training";
      case ReferenceTask::kInfer:
        return "libtorch inference";
      case ReferenceTask::kOnnx:
        return "ONNX Runtime inference";
    }
    CHECK(false) << "a task without a text";
    return "";
  };
  return text() + (reference.dataset.empty() ? "" : ", " + reference.dataset);
}

}  // namespace mete
