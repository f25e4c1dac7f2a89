// Resource usage of a process, and which processes belong to its tree.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "linux/system_root.h"
#include "support/units.h"

namespace mete {

// Resources used by one process so far.
struct ProcessUsage {
  // All threads together, in steps of 10 ms.
  std::optional<std::chrono::nanoseconds> user;
  std::optional<std::chrono::nanoseconds> system;
  // Time of children that were waited for, and of their children; summing over
  // the running processes of a tree would miss it.
  std::optional<std::chrono::nanoseconds> reaped_user;
  std::optional<std::chrono::nanoseconds> reaped_system;
  // Since boot. A pid is reused after its process has ended; pid and start time
  // together are unique.
  std::optional<std::chrono::nanoseconds> started;

  std::optional<Bytes> resident;
  std::optional<Bytes> resident_anonymous;  // with shared memory
  std::optional<Bytes> resident_file;
  std::optional<Bytes> peak_resident;
  std::optional<Bytes> swap;
  std::optional<uint64_t> minor_faults;
  std::optional<uint64_t> major_faults;
  std::optional<uint64_t> threads;

  // Bytes from and to storage, not the page cache. Readable only for the user's
  // own processes or as root.
  std::optional<Bytes> read;
  std::optional<Bytes> written;
};

// All members are absent once the process has ended. A zombie has no memory.
ProcessUsage ReadProcessUsage(const SystemRoot& root, int pid);

// Bytes that processes read from and wrote to storage.
struct StorageTraffic {
  Bytes read;
  Bytes written;
};
// The sum over `pids`, with the children each has waited for. Absent if one
// that is running cannot be read.
std::optional<StorageTraffic> ReadStorageTraffic(const SystemRoot& root,
                                                 const std::vector<int>& pids);

// Proportional set size (PSS): memory with every shared page divided by the
// number of its users, so a sum over processes counts each page once. Separate
// because it is slow: the kernel walks all pages, which takes milliseconds per
// gigabyte.
std::optional<Bytes> ReadProportionalMemory(const SystemRoot& root, int pid);

// The running processes among `pid`, its descendants, and the members of every
// session led by one of these, sorted. A session keeps a process whose parent
// has ended, so give a workload its own (setsid) before it starts. Only a
// cgroup also keeps one that left the session and lost its parent.
std::vector<int> ProcessTree(const SystemRoot& root, int pid);

}  // namespace mete
