// The half of `mete measure` that runs a command or an image instead of a
// network.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/verb.h"

namespace mete {

// The flags as given.
struct ApplicationFlags {
  std::optional<std::string> memory;
  std::optional<std::string> cpus;
  std::optional<std::string> cpuset;
  std::optional<uint64_t> processes;
  bool swap = false;
  std::optional<std::string> timeout;
  std::string grace = "5s";
  uint64_t repeat = 1;
  std::string sample = "10Hz";
  std::vector<std::string> environment;
  std::string dataset;
  std::string out;
  std::optional<int> threads;  // shared with networks
  std::string image;           // empty: a command
  std::string pull = "missing";
  std::vector<std::string> mounts;
  std::vector<std::string> docker_arguments;
  bool allow_privileged = false;
};

// Returns the names of the flags it added: they make no sense for a network.
std::vector<std::string> AddApplicationFlags(Command command,
                                             ApplicationFlags& flags);

// Runs the words after "--", or the image with them, stores every run, and
// prints them.
Result<ExitCode> MeasureApplication(Invocation& invocation,
                                    const ApplicationFlags& flags);

}  // namespace mete
