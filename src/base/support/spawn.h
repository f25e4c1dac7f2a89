// Starts another program.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "support/clock.h"
#include "support/result.h"

namespace mete {

// What to start and how.
struct SpawnRequest {
  // The program and its arguments. The program is searched in PATH unless it
  // contains a slash.
  std::vector<std::string> arguments;
  // Descriptors for its standard streams; absent: /dev/null. It gets no others.
  std::optional<int> input{};
  std::optional<int> output{};
  std::optional<int> errors{};
  // Added to our own environment, replacing variables of the same name.
  std::map<std::string, std::string> environment{};
};

// Starts a process in its own process group, so that a Ctrl-C at the terminal
// reaches only us and its children can be killed with it; with no signals
// blocked. The caller waits for it. Fails with kNotFound when the program does
// not exist, otherwise with the system's error.
Result<pid_t> Spawn(const SpawnRequest& request);

// Waits for a process and returns its status as from waitpid(2). At the
// deadline, or when `stop` is requested, kills its whole process group and
// fails with kTimeout or kInterrupted.
Result<int> WaitForProcess(pid_t process, std::chrono::nanoseconds deadline,
                           Clock& clock, const std::stop_token& stop);

}  // namespace mete
