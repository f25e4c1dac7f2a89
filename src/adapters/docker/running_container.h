// A container from its start to its end.
#pragma once

#include <sys/eventfd.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "adapters/docker/docker_api.h"
#include "adapters/docker/start_watch.h"
#include "cgroups/control_group.h"
#include "linux/cgroup_usage.h"
#include "linux/interfaces.h"
#include "linux/proportional_memory.h"
#include "ports/launcher.h"
#include "support/clock.h"

namespace mete {

// A running container as an application.
class RunningContainer final : public RunningApplication {
 public:
  // Everything needed to start it.
  struct Parts {
    const DockerApi& api;  // outlives the container
    SystemRoot root;
    ControlGroup parent;  // may be empty
    std::string id;       // created, not yet started
    std::string stop_signal;
    std::function<void(std::string_view)> output;
    std::vector<std::string> notes;
  };

  // Starts the container, or removes it if that fails.
  static Result<std::unique_ptr<RunningApplication>> Start(Parts parts);

  ~RunningContainer() override;

  bool Wait(std::chrono::nanoseconds at_most) override;
  void Terminate() override;
  void Kill() override;
  ResourceUsage Usage() override;
  std::vector<int> ProcessIds() const override;
  std::string Accounting() const override;
  ProcessEnding Outcome() override;
  const std::vector<std::string>& notes() const override { return notes_; }

 private:
  explicit RunningContainer(Parts parts);

  Status Start();
  void Follow();
  // Asks the engine for what StartWatch could not see.
  void FindProcess();
  // Waits for the end and reads what is available only for a moment then.
  void AwaitEnd(std::stop_token stop);
  void AwaitFirstProcess(std::stop_token stop);
  void Settle(ContainerState state, const Status& awaited);
  void LookOnceMore();
  void FinishOutput();
  bool Ended();
  ResourceUsage ReadUsage();
  // The peak without that of the engine's runtime. Absent if it is not known.
  std::optional<Bytes> OwnPeak(std::optional<Bytes> peak);
  void NoteUnknownPeak();

  const DockerApi& api_;
  SystemRoot root_;
  ControlGroup parent_;
  std::string id_;
  std::string stop_signal_;
  std::function<void(std::string_view)> output_;
  std::vector<std::string> notes_;
  SeenStart seen_;
  bool settled_ = false;  // Kill was called
  // bytes of output; owned by the reader until it ends
  uint64_t delivered_ = 0;

  std::mutex reading_;                  // guards the members down to traffic_
  std::optional<CgroupReader> reader_;  // of seen_.group
  SystemClock clock_;
  ProportionalMemory proportional_{root_, clock_};
  std::optional<Bytes> highest_peak_;
  std::optional<Bytes> highest_sample_;
  std::optional<NetworkTraffic> traffic_;  // at the last sample

  std::mutex mutex_;  // guards the members below
  std::condition_variable change_;
  bool ended_ = false;
  bool output_ended_ = false;
  bool read_at_end_ = false;  // last_ contains the final values
  std::optional<std::chrono::steady_clock::time_point> end_;
  ResourceUsage last_;  // kept because cgroups vanish with the end
  ContainerState state_;
  std::string unknown_;  // why the state is unknown; empty when it is known

  std::jthread follower_;
  std::jthread watcher_;
};

}  // namespace mete
