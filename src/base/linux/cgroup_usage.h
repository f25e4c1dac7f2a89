// What the processes of a control group have used so far, under version 1 and
// version 2. Counters only grow, and outlive the processes they count.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "linux/block_devices.h"
#include "linux/cgroup_files.h"
#include "linux/cgroup_paths.h"
#include "linux/pressure.h"
#include "linux/system_root.h"
#include "linux/watched_file.h"
#include "support/units.h"

namespace mete {

// Page cache included: it is charged to the group that first read the file.
struct CgroupMemory {
  std::optional<Bytes> current;
  std::optional<Bytes> peak;  // version 2: since Linux 5.19
  std::optional<Bytes> swap;  // absent where swap is not accounted
  // Page cache that was not used lately: the kernel takes it back first.
  std::optional<Bytes> inactive_file;
  std::optional<uint64_t> page_faults;
  std::optional<uint64_t> major_faults;
  // Processes killed for want of memory. Version 1 (since Linux 4.13) leaves
  // out those of groups below.
  std::optional<uint64_t> oom_kills;
};

struct CgroupCpu {
  std::optional<std::chrono::nanoseconds> total;
  // Version 1 shows these in steps of 10 ms, so that they need not add up to
  // the total.
  std::optional<std::chrono::nanoseconds> user;
  std::optional<std::chrono::nanoseconds> system;
  // Periods in which the group ran under a quota, and how many of them used it
  // up; `throttled` sums the waiting of all cores.
  std::optional<uint64_t> periods;
  std::optional<uint64_t> throttled_periods;
  std::optional<std::chrono::nanoseconds> throttled;
  // By number of the core; empty under version 2, which does not tell.
  std::vector<std::chrono::nanoseconds> per_core;
};

// Storage only: devices that pass bytes on to others are left out. Version 1
// misses what is written back later from the page cache.
struct CgroupIo {
  std::optional<Bytes> read;
  std::optional<Bytes> written;
};

struct CgroupUsage {
  CgroupMemory memory;
  CgroupCpu cpu;
  CgroupIo io;
  std::optional<uint64_t> tasks;  // processes and threads
  Pressures pressure;             // version 2 alone
};

// What is not in the files, or gone with its group, is absent; `per_core` is
// left out.
CgroupUsage ReadUsage(CgroupFiles& files, StorageDevices& devices);
// The same in parts, for many groups, each of which leaves the others' as it
// is: CPU time, which tells from one file whether anything ran; memory in use;
// what costs four times as much as those two (the rest of memory, input and
// output, pressure, tasks, under version 1 also throttling and CPU time by user
// and system); and what may wait (peak and kills).
void ReadTime(CgroupFiles& files, CgroupUsage& usage);
void ReadMemoryInUse(CgroupFiles& files, CgroupUsage& usage);
void ReadDetails(CgroupFiles& files, StorageDevices& devices,
                 CgroupUsage& usage);
void ReadSeldom(CgroupFiles& files, CgroupUsage& usage);
// Reads a group again and again at little cost: about ten small files stay
// open. One thread.
class CgroupReader final : private CgroupFiles {
 public:
  CgroupReader(const SystemRoot& root, const CgroupPaths& paths);
  CgroupUsage Read();

 private:
  struct Part {
    int version;
    WatchedFolder folder;
  };
  int VersionOf(CgroupPart part) const override;
  std::optional<std::string_view> Text(CgroupPart part,
                                       std::string_view name) override;
  std::vector<std::chrono::nanoseconds> PerCore();

  StorageDevices devices_;
  std::array<std::optional<Part>, kCgroupParts> parts_;
};

// Once, for a group that is read seldom.
CgroupUsage ReadCgroupUsage(const SystemRoot& root, const CgroupPaths& paths);

}  // namespace mete
