// What one process has used so far, and which processes belong to it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "linux/system_root.h"
#include "support/units.h"

namespace mete {

struct ProcessUsage {
  // All threads together, in steps of 10 ms.
  std::optional<std::chrono::nanoseconds> user;
  std::optional<std::chrono::nanoseconds> system;
  // Of children that have ended and were waited for, and of theirs: what a sum
  // over the living processes of a tree would otherwise lose.
  std::optional<std::chrono::nanoseconds> reaped_user;
  std::optional<std::chrono::nanoseconds> reaped_system;
  // Since boot. The number of a process is used again after its end; together
  // with its start it is not.
  std::optional<std::chrono::nanoseconds> started;

  std::optional<Bytes> resident;
  std::optional<Bytes> peak_resident;
  std::optional<Bytes> swap;
  std::optional<uint64_t> minor_faults;
  std::optional<uint64_t> major_faults;
  std::optional<uint64_t> threads;

  // From and to storage, not the page cache; only for the user's own processes
  // or as root.
  std::optional<Bytes> read;
  std::optional<Bytes> written;
};

// All members are absent once the process has ended; a zombie has no memory.
ProcessUsage ReadProcessUsage(const SystemRoot& root, int pid);

// Memory with every shared page divided by the number of its users ("PSS"), so
// that a sum over processes counts each page once. Apart from the rest because
// the kernel walks all pages for it: milliseconds for each gigabyte.
std::optional<Bytes> ReadProportionalMemory(const SystemRoot& root, int pid);

// The living among: `pid`, its descendants, and the members of every session
// that one of these leads, sorted. Sessions keep a process whose parent has
// ended, so give a workload its own (setsid) before it starts. Only a control
// group also keeps one that left the session and lost its parent.
std::vector<int> ProcessTree(const SystemRoot& root, int pid);

}  // namespace mete
