// The flags that say how to run an application, shared by every verb that runs
// one or has it run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "flags/command.h"
#include "measure/application_spec.h"

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
  std::optional<std::string> probes;
  std::vector<std::string> environment;
  std::string dataset;
  std::string out;  // folder for the files; only `mete measure` has it
  std::optional<int> threads;  // shared with networks
  std::string image;           // empty: a command
  std::string pull = "missing";
  std::vector<std::string> mounts;
  std::vector<std::string> docker_arguments;
  bool allow_privileged = false;
};

// Return the names of the flags they added: they make no sense for a network.
std::vector<std::string> AddApplicationFlags(Command command,
                                             ApplicationFlags& flags);
// All but --memory, --cpus and --repeat, for a verb that has its own.
std::vector<std::string> AddSurroundingFlags(Command command,
                                             ApplicationFlags& flags);

// The flags and the words after "--" as what to run.
Result<ApplicationSpec> MakeSpec(const ApplicationFlags& flags,
                                 const std::vector<std::string>& arguments);

// What is wrong when a flag that only makes sense for a container was given
// without --image; absent when nothing is.
std::optional<std::string> ImageComplaint(const std::vector<std::string>& given,
                                          const ApplicationFlags& flags);

}  // namespace mete
