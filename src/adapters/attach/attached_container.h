// A running container or service, observed through its cgroup.
#pragma once

#include <string>
#include <vector>

#include "adapters/attach/usage_since.h"
#include "linux/cgroup_paths.h"
#include "linux/cgroup_usage.h"
#include "linux/system_root.h"
#include "ports/launcher.h"

namespace mete {

// Usage may be called from another thread, but not from two at once.
class AttachedContainer final : public RunningApplication {
 public:
  // `paths` are the folders of the cgroup of the whole container, at least one.
  AttachedContainer(const SystemRoot& root, const CgroupPaths& paths);

  bool Wait(std::chrono::nanoseconds at_most) override;
  void Terminate() override {}  // it is not ours
  void Kill() override {}
  ResourceUsage Usage() override;
  std::vector<int> ProcessIds() const override;
  std::string Accounting() const override;
  ProcessEnding Outcome() override;
  const std::vector<std::string>& notes() const override { return notes_; }

 private:
  bool Ended() const;

  SystemRoot root_;
  CgroupFolder folder_;  // one of them
  CgroupReader reader_;
  UsageSince usage_;
  std::vector<std::string> notes_;
};

// Any folder of the cgroup; absent when there is none.
std::optional<CgroupFolder> AnyFolder(const CgroupPaths& paths);

}  // namespace mete
