// Finds the processes that a user names, and rejects dangerous ones.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "linux/system_root.h"
#include "support/result.h"

namespace mete {

// A process with its identity and origin.
struct FoundProcess {
  int pid = 0;
  int parent = 0;
  std::string name;      // from the kernel: 15 characters
  std::string program;   // from linux/program_name.h
  bool kernel = false;   // a kernel thread
  uint64_t started = 0;  // ticks since boot; pids are reused
};

// All visible processes, sorted by pid.
std::vector<FoundProcess> ReadProcesses(const SystemRoot& root);

// `wanted` as a pid; absent when it is a name.
std::optional<int> PidIn(const std::string& name_or_pid);
// Absent when the process does not exist.
std::optional<FoundProcess> ReadProcess(const SystemRoot& root, int pid);

// A process given by its pid, or all processes with a name; sorted. `self` is
// this program's pid. Fails with kNotFound, or with kPermissionDenied when
// init, a kernel thread, this program or one of its ancestors is among them.
Result<std::vector<int>> FindProcesses(const SystemRoot& root,
                                       const std::string& name_or_pid,
                                       int self);

// `pids` and all their descendants, sorted.
std::vector<int> WithDescendants(const std::vector<FoundProcess>& all,
                                 const std::vector<int>& pids);

}  // namespace mete
