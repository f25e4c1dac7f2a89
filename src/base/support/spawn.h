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

struct SpawnRequest {
  // The program, looked for on the PATH unless it has a slash, and its
  // arguments.
  std::vector<std::string> words;
  // What becomes its streams; absent: /dev/null.
  std::optional<int> input{};
  std::optional<int> output{};
  std::optional<int> errors{};
  // Added to our own variables, or instead of them.
  std::map<std::string, std::string> environment{};
};

// The started process, in a group of its own, so that a Ctrl-C at the terminal
// is ours to answer and what it starts can be ended with it; with no signal
// blocked. The caller waits for it. Fails with kNotFound when there is no such
// program, else with the system's reason.
Result<pid_t> Spawn(const SpawnRequest& request);

// Waits for a started process and returns its status as waitpid(2) does. At
// the deadline, or when `stop` is requested, its whole group is killed; then
// the result is kTimeout or kInterrupted.
Result<int> WaitForProcess(pid_t process, std::chrono::nanoseconds deadline,
                           Clock& clock, const std::stop_token& stop);

}  // namespace mete
