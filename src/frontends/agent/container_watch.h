// Keeps track of the containers on this machine and reads their cgroups
// repeatedly at low cost.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "linux/block_devices.h"
#include "linux/cgroup_limits.h"
#include "linux/cgroup_trees.h"
#include "linux/cgroup_usage.h"
#include "linux/container_groups.h"
#include "linux/container_names.h"
#include "linux/pooled_cgroup_files.h"
#include "support/clock.h"

namespace mete {

// Limits and intervals of a ContainerWatch.
struct ContainerWatchSettings {
  // Maximum number of containers. Containers have priority over services; the
  // rest is left out. Each costs about 7 kB of memory, most of it for the page.
  size_t most = 2000;
  // Maximum number of open files; by default what this process can spare.
  size_t descriptors = AffordableDescriptors();
  // Interval of the search for new containers. With one read per second, a new
  // container is exported within 5 s of its start.
  std::chrono::nanoseconds search_every = std::chrono::seconds(4);
  // For a container that did not run, the last values are repeated for this
  // long, because reading all files costs twenty times as much as checking
  // whether it ran. Longer with more than 500 containers. 0 reads every time.
  std::chrono::nanoseconds rest = std::chrono::seconds(5);
  // Interval for all values but CPU time and memory in use of a container that
  // ran: every fifth read at one read per second. 0 reads every time.
  std::chrono::nanoseconds details = std::chrono::milliseconds(4900);
  // Interval for limits, peaks and OOM kills, whose files are not kept open.
  std::chrono::nanoseconds seldom = std::chrono::seconds(15);
};

// One container with the values read last.
struct WatchedContainer {
  ContainerIdentity identity;
  std::string label;  // short and unique within the runtime
  ContainerName name;
  CgroupUsage usage;
  CgroupLimits limits;
  uint64_t renamed = 0;  // grows when `name` changes
};

// Finds containers and reads their usage and limits. Not thread-safe.
class ContainerWatch {
 public:
  // `clock` must outlive the watch.
  ContainerWatch(const SystemRoot& root, const Clock& clock,
                 ContainerWatchSettings settings);
  ContainerWatch(const ContainerWatch&) = delete;
  ContainerWatch& operator=(const ContainerWatch&) = delete;

  // Reads all containers, searches for new ones when the interval has passed,
  // and removes those that are gone.
  void Read();

  // Whether any cgroup hierarchy is mounted.
  bool HasGroups() const { return trees_.Main() != nullptr; }
  size_t found() const { return entries_.size() + left_out_; }
  size_t left_out() const { return left_out_; }
  template <typename Visit>
  void ForEach(Visit visit) {
    for (auto& [group, entry] : entries_) visit(entry.container);
  }

 private:
  struct Entry {
    WatchedContainer container;
    PooledCgroupFiles files;
    // Time of the next full read.
    std::chrono::nanoseconds rested = std::chrono::nanoseconds::max();
    // Time of the next read of the expensive values.
    std::chrono::nanoseconds details{0};
    // Time of the next read of limits, peaks and OOM kills.
    std::chrono::nanoseconds seldom{0};
    int rests = 0;
  };
  using Entries = std::map<std::string, Entry, std::less<>>;  // by cgroup

  void Search();
  void Add(ContainerIdentity identity);
  Entries::iterator Remove(Entries::iterator entry);
  void FindNames();
  std::chrono::nanoseconds Rest() const;
  void ShareDescriptors();
  void LookAgain(Entry& entry);
  std::chrono::nanoseconds Staggered(std::chrono::nanoseconds time, bool first);
  // False when the container is gone.
  bool ReadOne(Entry& entry, std::chrono::nanoseconds now);

  SystemRoot root_;
  const Clock& clock_;
  const ContainerWatchSettings settings_;
  CgroupTrees trees_;
  StorageDevices devices_;
  ContainerNames names_;
  CgroupFilePool pool_;
  CgroupFilePool seldom_{.descriptors = 0};
  Entries entries_;  // points into the pools
  std::set<std::pair<ContainerRuntime, std::string>> labels_;  // in use
  size_t left_out_ = 0;
  size_t added_ = 0;
  std::optional<std::chrono::nanoseconds> next_search_;
};

}  // namespace mete
