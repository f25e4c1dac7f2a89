// What the status of a pod proves about the application in it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ports/launcher.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

// How the container ended.
struct PodTermination {
  int exit_code = 0;
  std::string reason;   // "Completed", "Error", "OOMKilled", "StartError"
  std::string message;  // may be empty
};

// The status of a pod with one container.
struct PodState {
  std::string name;
  std::string uid;
  std::string node;     // "" before it is scheduled
  std::string phase;    // "Pending", "Running", "Succeeded", "Failed"
  std::string reason;   // of the pod: "Evicted", "DeadlineExceeded"
  std::string message;  // of the pod, or of the scheduler
  bool unschedulable = false;
  std::string waiting;  // why the container does not run: "ImagePullBackOff"
  std::string waiting_message;
  bool running = false;
  std::optional<PodTermination> terminated;
  std::string image_id;

  bool Ended() const {
    return terminated || phase == "Succeeded" || phase == "Failed";
  }
};

// Fails with kCorrupt when it is not a pod.
Result<PodState> ParsePodState(const Json& pod);

// One line of a watch on pods.
struct PodEvent {
  std::optional<PodState> pod;  // absent: only the version
  bool deleted = false;
  std::string version;  // to resume after this line
};

// Fails with kUnavailable for an error of the server, such as an expired
// version, and with kCorrupt when it is not an event.
Result<PodEvent> ParsePodEvent(std::string_view line);

// Why the container will not start, although its pod waits on: a missing image,
// an invalid configuration. Absent while it may still start.
std::optional<Error> StartProblem(const PodState& pod);

// Why an ended pod never ran its program: kNotFound when that does not exist.
std::optional<Error> StartFailure(const PodState& pod);

// How it ended. `pod` has ended.
ProcessEnding PodEnding(const PodState& pod);

// Of a pod that was deleted before it ended.
ProcessEnding LostEnding(const PodState& pod);

}  // namespace mete
