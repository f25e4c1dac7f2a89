// Watches a container come up: an engine's runtime works in the container's own
// group before the application's program starts, and that work is not the
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

// What was seen. Everything may be absent: an engine in a virtual machine shows
// nothing of its containers.
struct SeenStart {
  std::optional<CgroupPaths> group;  // the container's own
  Descriptor process;                // pidfd of its first process
  // When the program took over from the runtime, and what the group had used
  // until then.
  std::optional<std::chrono::steady_clock::time_point> program_start;
  ResourceUsage before;
};

// Looks about every half millisecond from its creation until the program has
// started or Finish is called.
class StartWatch {
 public:
  // `parent` must outlive the watch.
  StartWatch(const SystemRoot& root, const ControlGroup& parent,
             std::string container);

  // Stops looking and returns what was seen.
  SeenStart Finish();

 private:
  void Watch(std::stop_token stop);
  // True when the program has taken over.
  bool Look();
  void TakeOver(pid_t pid);
  void RememberRuntime(pid_t pid);
  void Follow(pid_t pid);

  SystemRoot root_;
  const ControlGroup& parent_;
  std::string container_;  // its identity
  SeenStart seen_;
  pid_t followed_ = 0;  // whose end will be seen
  std::jthread thread_;
};

// pidfd_open(2); not open when the kernel (before Linux 5.3) or the process is
// not there.
Descriptor OpenProcess(pid_t pid);

}  // namespace mete
