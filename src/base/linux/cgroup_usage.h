// Resources used by the processes of a cgroup, for cgroup v1 and v2. Counters
// never decrease and include processes that have ended.
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

// Memory use of a cgroup. Includes page cache, which is charged to the cgroup
// that first read the file.
struct CgroupMemory {
  std::optional<Bytes> current;
  std::optional<Bytes> peak;  // cgroup v2: since Linux 5.19
  std::optional<Bytes> swap;  // absent where swap is not accounted
  // What `current` consists of, roughly: the kernel updates these in batches.
  std::optional<Bytes> anonymous;  // including tmpfs and shared memory
  std::optional<Bytes> file;       // page cache of files on storage
  std::optional<Bytes> kernel;     // page tables, sockets, slabs
  // Page cache that was not used recently; the kernel reclaims it first.
  std::optional<Bytes> inactive_file;
  std::optional<uint64_t> page_faults;
  std::optional<uint64_t> major_faults;
  // Processes killed because memory ran out. Under cgroup v1 (since Linux 4.13)
  // without those of descendant cgroups.
  std::optional<uint64_t> oom_kills;
};

// CPU time of a cgroup.
struct CgroupCpu {
  std::optional<std::chrono::nanoseconds> total;
  // Under cgroup v1 in steps of 10 ms, so the two need not add up to the total.
  std::optional<std::chrono::nanoseconds> user;
  std::optional<std::chrono::nanoseconds> system;
  // Scheduling periods in which the cgroup ran under a quota, and how many of
  // them used it up. `throttled` is summed over all cores.
  std::optional<uint64_t> periods;
  std::optional<uint64_t> throttled_periods;
  std::optional<std::chrono::nanoseconds> throttled;
  // Indexed by core number. Empty under cgroup v2, which does not report it.
  std::vector<std::chrono::nanoseconds> per_core;
};

// Storage I/O of a cgroup. Devices that pass bytes on to other devices are not
// counted. cgroup v1 misses delayed writes from the page cache, and on many
// kernels everything: it is absent while no device is listed.
struct CgroupIo {
  std::optional<Bytes> read;
  std::optional<Bytes> written;
};

// Everything that is sampled from one cgroup.
struct CgroupUsage {
  CgroupMemory memory;
  CgroupCpu cpu;
  CgroupIo io;
  std::optional<uint64_t> tasks;  // processes and threads
  Pressures pressure;             // cgroup v2 only
};

// Absent: the files lack the value, or the cgroup is gone. `per_core` is not
// filled.
CgroupUsage ReadUsage(CgroupFiles& files, StorageDevices& devices);
// Read parts of the usage and leave the other members as they are; for sampling
// many cgroups. ReadTime: CPU time, one file that shows if anything ran.
// ReadMemoryInUse: current memory. ReadDetails: all that costs four times as
// much as those two (other memory values, I/O, pressure, tasks; under cgroup v1
// also throttling and user and system time). ReadSeldom: peak memory and OOM
// kills, which can wait.
void ReadTime(CgroupFiles& files, CgroupUsage& usage);
void ReadMemoryInUse(CgroupFiles& files, CgroupUsage& usage);
void ReadDetails(CgroupFiles& files, StorageDevices& devices,
                 CgroupUsage& usage);
void ReadSeldom(CgroupFiles& files, CgroupUsage& usage);
// Reads one cgroup repeatedly at low cost by keeping about ten small files
// open. Not thread-safe.
class CgroupReader final : private CgroupFiles {
 public:
  CgroupReader(const SystemRoot& root, const CgroupPaths& paths);
  CgroupUsage Read();

 private:
  // Folder and cgroup version of one part.
  struct Part {
    int version;
    WatchedFolder folder;
  };
  int VersionFor(CgroupPart part) const override;
  std::optional<std::string_view> Text(CgroupPart part,
                                       std::string_view name) override;
  std::vector<std::chrono::nanoseconds> PerCore();

  StorageDevices devices_;
  std::array<std::optional<Part>, kCgroupParts> parts_;
};

// Reads once; for cgroups that are read rarely.
CgroupUsage ReadCgroupUsage(const SystemRoot& root, const CgroupPaths& paths);

}  // namespace mete
