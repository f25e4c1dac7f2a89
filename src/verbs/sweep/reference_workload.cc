#include "sweep/reference_workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "measure/torch_program.h"
#include "reference_networks/architecture.h"
#include "reference_networks/data_set.h"
#include "support/check.h"
#include "support/text.h"

namespace mete {
namespace {

// The value of "--flag value" or "--flag=value"; the last one counts.
std::string FindFlagValue(const std::vector<std::string>& arguments,
                          const std::string& flag, const std::string& usual) {
  std::string value = usual;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].starts_with(flag + "="))
      value = arguments[i].substr(flag.size() + 1);
    if (arguments[i] == flag && i + 1 < arguments.size())
      value = arguments[i + 1];
  }
  return value;
}

bool IsOneOf(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

std::optional<std::string> TorchWorkloadName(
    const std::vector<std::string>& arguments) {
  if (arguments.size() < 2) return std::nullopt;
  if (std::filesystem::path(arguments[0]).filename() != kTorchProgram) {
    return std::nullopt;
  }
  const std::string& task = arguments[1];
  if (task != "train" && task != "infer") return std::nullopt;
  return FindFlagValue(arguments, "--network", kUsualNetwork) + " " + task +
         " " + FindFlagValue(arguments, "--dataset", kUsualDataSet);
}

Status CheckSweepable(const std::vector<std::string>& arguments) {
  bool trains = TorchWorkloadName(arguments) && arguments[1] == "train";
  if (!trains || FindFlagValue(arguments, "--checkpoint", "").empty() ||
      IsOneOf(arguments, "--fresh")) {
    return {};
  }
  return InvalidInput(
      "training with --checkpoint cannot be swept without --fresh: the second "
      "run would resume from the first and have nothing left to do");
}

bool IsTorchInference(const std::vector<std::string>& arguments) {
  return TorchWorkloadName(arguments) && arguments[1] == "infer";
}

void LengthenInference(Seconds duration, std::vector<std::string>& arguments) {
  if (!IsTorchInference(arguments) ||
      !FindFlagValue(arguments, "--duration", "").empty())
    return;
  arguments.insert(arguments.end(),
                   {"--duration", fmt::format("{}s", duration.count())});
}

std::optional<ReferenceWorkload> FindReference(const std::string& workload) {
  std::vector<std::string> arguments = SplitAt(workload, ' ');
  ReferenceWorkload found;
  if (arguments.size() == 3 &&
      (arguments[1] == "train" || arguments[1] == "infer")) {
    found = {.network = arguments[0],
             .task = arguments[1] == "train" ? ReferenceTask::kTrain
                                             : ReferenceTask::kInfer,
             .dataset = arguments[2]};
  } else {
    size_t dash = std::min(workload.find('-'), workload.size());
    found = {.network = workload.substr(0, dash),
             .task = ReferenceTask::kOnnx,
             .dataset = workload.substr(std::min(dash + 1, workload.size()))};
  }
  // Other networks have dashes too: mobilenet-v2, MLP-mixer.
  bool known = IsOneOf(ArchitectureNames(), found.network) &&
               IsOneOf(DataSetNames(), found.dataset);
  return known ? std::optional(found) : std::nullopt;
}

std::string TaskText(const ReferenceWorkload& reference) {
  auto text = [&]() -> std::string {
    switch (reference.task) {
      case ReferenceTask::kTrain:
        return "training";
      case ReferenceTask::kInfer:
        return "libtorch inference";
      case ReferenceTask::kOnnx:
        return "ONNX Runtime";
    }
    CHECK(false) << "a task without a text";
    return "";
  };
  return text() + (reference.dataset.empty() ? "" : ", " + reference.dataset);
}

}  // namespace mete
