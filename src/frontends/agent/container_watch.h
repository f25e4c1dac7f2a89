// The containers of this machine, kept up to date and read again and again at
// little cost.
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

struct ContainerWatchSettings {
  // Containers are taken on before services; what is more is left out. One
  // costs about 7 kB of memory, most of it on the page.
  size_t most = 2000;
  // Kept open at most; by default what this process can spare.
  size_t descriptors = AffordableDescriptors();
  // How often new containers are looked for: at one reading a second they are
  // told 5 s after their start at the latest.
  std::chrono::nanoseconds search_every = std::chrono::seconds(4);
  // A container that did not run since it was last read is told as it was for
  // as long as this, since its files cost twenty times the look whether it
  // ran. Longer where there are more than 500. 0: it is read every time.
  std::chrono::nanoseconds rest = std::chrono::seconds(5);
  // Of one that ran, all but CPU time and memory in use is read so often: at
  // one reading a second every fifth time. 0: every time.
  std::chrono::nanoseconds details = std::chrono::milliseconds(4900);
  // Limits, peaks and kills, whose files are opened anew.
  std::chrono::nanoseconds seldom = std::chrono::seconds(15);
};

// One container as it was read last.
struct WatchedContainer {
  ContainerIdentity identity;
  std::string label;  // short, and no other container of the runtime has it
  ContainerName name;
  CgroupUsage usage;
  CgroupLimits limits;
  uint64_t renamed = 0;  // grows when `name` changes
};

// One thread.
class ContainerWatch {
 public:
  // `clock` must outlive the watch.
  ContainerWatch(const SystemRoot& root, const Clock& clock,
                 ContainerWatchSettings settings);
  ContainerWatch(const ContainerWatch&) = delete;
  ContainerWatch& operator=(const ContainerWatch&) = delete;

  // Reads all containers, and looks for new ones when it is time. Those that
  // are gone are no longer told.
  void Read();

  // Whether there is any tree of groups to look into.
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
    // Read in full from then on.
    std::chrono::nanoseconds rested = std::chrono::nanoseconds::max();
    // So are the costly figures.
    std::chrono::nanoseconds details{0};
    // So are limits, peaks and kills.
    std::chrono::nanoseconds seldom{0};
    int rests = 0;
  };
  using Entries = std::map<std::string, Entry, std::less<>>;  // by group

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
  std::set<std::pair<ContainerRuntime, std::string>> labels_;  // taken ones
  size_t left_out_ = 0;
  size_t added_ = 0;
  std::optional<std::chrono::nanoseconds> next_search_;
};

}  // namespace mete
