#include "adapters/kubernetes/pod_state.h"

#include <fmt/format.h>

#include <array>

#include "adapters/kubernetes/job_manifest.h"
#include "support/json.h"
#include "support/text.h"

namespace mete {
namespace {

// As in shells: exit codes above this are signal numbers plus 128.
constexpr int kShellSignalBase = 128;
constexpr int kHighestSignal = 64;
constexpr size_t kLongestReason = 500;

std::string FieldText(const Json& json, const char* key) {
  auto found = json.find(key);
  bool usable = found != json.end() && found->is_string();
  return usable ? Tame(found->get<std::string>(), kLongestReason) : "";
}

// The object at a key, or an empty one.
const Json& Part(const Json& json, const char* key) {
  static const Json kNothing = Json::object();
  auto found = json.find(key);
  bool usable =
      found != json.end() && (found->is_object() || found->is_array());
  return usable ? *found : kNothing;
}

void ReadConditions(const Json& status, PodState& pod) {
  for (const Json& condition : Part(status, "conditions")) {
    if (!condition.is_object()) continue;
    if (FieldText(condition, "type") != "PodScheduled" ||
        FieldText(condition, "status") != "False") {
      continue;
    }
    pod.unschedulable = FieldText(condition, "reason") == "Unschedulable";
    pod.message = FieldText(condition, "message");
  }
}

void ReadContainer(const Json& status, PodState& pod) {
  pod.image_id = FieldText(status, "imageID");
  const Json& state = Part(status, "state");
  pod.running = state.contains("running");
  const Json& waiting = Part(state, "waiting");
  pod.waiting = FieldText(waiting, "reason");
  pod.waiting_message = FieldText(waiting, "message");
  if (!state.contains("terminated")) return;
  const Json& ended = Part(state, "terminated");
  PodTermination termination{.reason = FieldText(ended, "reason"),
                             .message = FieldText(ended, "message")};
  auto code = ended.find("exitCode");
  if (code != ended.end() && code->is_number_integer()) {
    termination.exit_code = code->get<int>();
  }
  pod.terminated = std::move(termination);
}

bool OneOf(const std::string& text,
           std::initializer_list<std::string_view> list) {
  for (std::string_view item : list) {
    if (text == item) return true;
  }
  return false;
}

std::string With(const std::string& reason, const std::string& message) {
  return message.empty() ? reason : reason + ": " + message;
}

}  // namespace

Result<PodState> ParsePodState(const Json& json) {
  if (!json.is_object() || !json.contains("metadata")) {
    return Corrupt("the API server's answer is not a pod");
  }
  const Json& metadata = Part(json, "metadata");
  const Json& status = Part(json, "status");
  PodState pod{.name = FieldText(metadata, "name"),
               .uid = FieldText(metadata, "uid"),
               .node = FieldText(Part(json, "spec"), "nodeName"),
               .phase = FieldText(status, "phase"),
               .reason = FieldText(status, "reason"),
               .message = FieldText(status, "message")};
  if (pod.name.empty()) return Corrupt("the pod has no name");
  if (pod.message.empty()) ReadConditions(status, pod);
  for (const Json& container : Part(status, "containerStatuses")) {
    if (container.is_object() &&
        FieldText(container, "name") == kContainerName) {
      ReadContainer(container, pod);
    }
  }
  return pod;
}

Result<PodEvent> ParsePodEvent(std::string_view line) {
  ASSIGN_OR_RETURN(Json json, ParseJson(line));
  if (!json.is_object()) return Corrupt("not a watch event");
  const std::string type = FieldText(json, "type");
  const Json& object = Part(json, "object");
  if (type == "ERROR" || type.empty()) {
    return Unavailable("watch: " + FieldText(object, "message"));
  }
  PodEvent event{
      .deleted = type == "DELETED",
      .version = FieldText(Part(object, "metadata"), "resourceVersion")};
  if (type == "BOOKMARK") return event;
  ASSIGN_OR_RETURN(event.pod, ParsePodState(object));
  return event;
}

std::optional<Error> StartProblem(const PodState& pod) {
  const std::string why = With(pod.waiting, pod.waiting_message);
  // ErrImagePull is the first failure; a registry may recover.
  if (OneOf(pod.waiting, {"ImagePullBackOff", "ErrImageNeverPull",
                          "InvalidImageName", "ErrImageInspect"})) {
    return NotFound(why);
  }
  if (OneOf(pod.waiting, {"CreateContainerConfigError"})) {
    return InvalidInput(why);
  }
  if (OneOf(pod.waiting, {"CreateContainerError", "RunContainerError"})) {
    const bool missing =
        pod.waiting_message.find("no such file") != std::string::npos ||
        pod.waiting_message.find("not found") != std::string::npos;
    return missing ? NotFound(why) : Unavailable(why);
  }
  return std::nullopt;
}

std::optional<Error> StartFailure(const PodState& pod) {
  if (!pod.terminated ||
      !OneOf(pod.terminated->reason, {"StartError", "ContainerCannotRun"})) {
    return std::nullopt;
  }
  const std::string why = With(pod.terminated->reason, pod.terminated->message);
  if (why.find("permission denied") != std::string::npos) {
    return Error(ErrorCode::kPermissionDenied, why);
  }
  return NotFound(why);
}

ProcessEnding PodEnding(const PodState& pod) {
  ProcessEnding ending;
  if (pod.terminated) {
    const int code = pod.terminated->exit_code;
    if (code > kShellSignalBase && code <= kShellSignalBase + kHighestSignal) {
      ending.signal = code - kShellSignalBase;
    } else {
      ending.exit_code = code;
    }
    if (pod.terminated->reason == "OOMKilled") ending.oom_kills = 1;
    ending.evidence = fmt::format("exit code {} ({}) in the status of pod {}",
                                  code, pod.terminated->reason, pod.name);
  } else {
    ending.evidence =
        fmt::format("pod {} is {} without an exit code", pod.name, pod.phase);
  }
  if (pod.reason == "DeadlineExceeded") {
    ending.proved = RunOutcome{.kind = OutcomeKind::kTimedOut,
                               .detail = With(pod.reason, pod.message)};
  } else if (!pod.reason.empty()) {  // Evicted, Preempting, NodeLost, …
    ending.proved =
        RunOutcome{.kind = OutcomeKind::kCrashed,
                   .detail = fmt::format("node {}: {}", pod.node,
                                         With(pod.reason, pod.message))};
  }
  return ending;
}

ProcessEnding LostEnding(const PodState& pod) {
  ProcessEnding ending;
  ending.evidence = fmt::format(
      "pod {} was deleted before its node reported an exit code", pod.name);
  return ending;
}

}  // namespace mete
