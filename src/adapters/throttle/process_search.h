// Finds the processes a person means, and refuses those nobody should mean.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "linux/system_root.h"
#include "support/result.h"

namespace mete {

struct FoundProcess {
  int pid = 0;
  int parent = 0;
  std::string name;      // as the kernel keeps it: 15 characters
  std::string program;   // as linux/program_name.h has it
  bool kernel = false;   // a thread of the kernel's
  uint64_t started = 0;  // ticks since the system did: numbers are used again
};

// All that can be seen, by pid.
std::vector<FoundProcess> ReadProcesses(const SystemRoot& root);

// The pid that `wanted` is; absent when it is a name.
std::optional<int> PidIn(const std::string& wanted);
// Absent when there is no such process.
std::optional<FoundProcess> ReadProcess(const SystemRoot& root, int pid);

// A process given by its pid, or all of a name; sorted. `self` is this
// program's pid. Fails with kNotFound, and with kPermissionDenied when the
// first process, a kernel thread, this program or one it descends from is
// among them.
Result<std::vector<int>> FindProcesses(const SystemRoot& root,
                                       const std::string& wanted, int self);

// `pids` and all that descend from them, sorted.
std::vector<int> WithDescendants(const std::vector<FoundProcess>& all,
                                 const std::vector<int>& pids);

}  // namespace mete
