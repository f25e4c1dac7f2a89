// A Job with one pod, from its creation to its end.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "adapters/kubernetes/job_api.h"
#include "adapters/kubernetes/pod_state.h"
#include "ports/launcher.h"
#include "support/clock.h"

namespace mete {

// How long to wait for a pod.
struct JobPatience {
  // For the scheduler, once it has said that no node fits.
  std::chrono::nanoseconds unschedulable = std::chrono::seconds(30);
  // From the creation until the container runs, including pulling the image.
  std::chrono::nanoseconds start = std::chrono::minutes(10);
};

// A running Job as an application.
class RunningJob final : public RunningApplication {
 public:
  // Everything needed to run it.
  struct Parts {
    const JobApi& api;  // outlives the Job, like the clock
    Clock& clock;
    std::string name;
    std::string image;
    std::function<void(std::string_view)> output;
    LimitReport limits;
    JobPatience patience;
  };

  // The Job has been created. Returns when its container runs or has ended.
  // Deletes the Job if it cannot start.
  static Result<std::unique_ptr<RunningApplication>> Start(
      Parts parts, const std::stop_token& stop);

  ~RunningJob() override;

  bool Wait(std::chrono::nanoseconds at_most) override;
  void Terminate() override;
  void Kill() override;
  ResourceUsage Usage() override;
  std::string Accounting() const override;
  ProcessEnding Outcome() override;
  const std::vector<std::string>& notes() const override;
  std::vector<EnforcedLimit> MissingLimits() const override {
    return limits_.missing;
  }
  std::optional<RemotePlace> Place() const override;

 private:
  explicit RunningJob(Parts parts);

  Status AwaitStart(const std::stop_token& stop);
  // What the current state means for the start; absent: wait on.
  std::optional<Status> StartVerdict(std::chrono::nanoseconds now);
  // The threads: follows the pod, its output, and its usage.
  void FollowPod(std::stop_token stop);
  void FollowOutput(std::stop_token stop);
  void Attend(std::stop_token stop);
  void ReadUsage(const PodState& pod, const std::stop_token& stop);
  void Delete(std::optional<int> grace);
  bool Ended();
  PodState Pod();
  void AddNote(const std::string& note);

  const JobApi& api_;
  Clock& clock_;
  const std::string name_;
  const std::string image_;
  const std::function<void(std::string_view)> output_;
  const LimitReport limits_;
  const JobPatience patience_;
  const std::chrono::nanoseconds created_;
  std::string machine_;  // id of the node's machine
  std::chrono::nanoseconds unschedulable_since_{0};

  mutable std::mutex mutex_;  // guards the members below
  std::condition_variable_any change_;
  std::optional<PodState> pod_;
  bool deleted_ = false;          // the pod is gone
  std::optional<Error> trouble_;  // why the pod cannot be followed
  bool output_ended_ = false;
  ResourceUsage usage_;
  bool counted_ = false;  // the kubelet reported usage
  std::vector<std::string> notes_;
  mutable std::vector<std::string> read_notes_;  // what notes() returned

  std::jthread follower_;
  std::jthread reader_;
  std::jthread attendant_;
};

}  // namespace mete
