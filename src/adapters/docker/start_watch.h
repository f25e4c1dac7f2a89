// Watches a container start: the engine's runtime works in the container's own
// cgroup before the application's program starts, and that work is not the
// application's.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "cgroups/control_group.h"
#include "domain/application_details.h"
#include "linux/system_root.h"
#include "support/descriptor.h"

namespace mete {

// What was observed. Everything may be absent: an engine in a virtual machine
// hides its containers from us.
struct SeenStart {
  std::optional<CgroupPaths> group;  // the container's own cgroup
  Descriptor process;                // pidfd of its first process
  // When the program replaced the runtime, and what the cgroup had used until
  // then.
  std::optional<std::chrono::steady_clock::time_point> program_start;
  ResourceUsage before;
  // The memory peak of the cgroup while the engine's runtime was in it.
  std::optional<Bytes> runtime_peak;
};

// Polls about every half millisecond from its creation until the program has
// started or Finish is called.
class StartWatch {
 public:
  // `parent` must outlive the watch.
  StartWatch(const SystemRoot& root, const ControlGroup& parent,
             std::string container);

  // Stops polling and returns what was observed.
  SeenStart Finish();

 private:
  void Watch(std::stop_token stop);
  // True when the program has replaced the runtime.
  bool Look();
  void TakeOver(pid_t pid);
  void RememberRuntime(pid_t pid);
  void Follow(pid_t pid);

  SystemRoot root_;
  const ControlGroup& parent_;
  std::string container_;  // its id
  SeenStart seen_;
  pid_t followed_ = 0;  // the process whose end will be noticed
  std::jthread thread_;
};

// pidfd_open(2). The result is not open when the kernel is older than Linux 5.3
// or the process is gone.
Descriptor OpenProcess(pid_t pid);

}  // namespace mete
