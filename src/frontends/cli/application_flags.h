// The flags for running an application. Every verb that runs or queues one
// shares them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "flags/command.h"
#include "measure/application_spec.h"
#include "ports/host.h"

namespace mete {

// The values of the flags as the user gave them.
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
  std::optional<int> threads;      // shared with networks
  std::optional<std::string> pin;  // the same
  std::string image;               // empty: a command
  std::string pull = "missing";
  std::string launcher;  // of the image; empty: the container engine
  std::string node;      // of a cluster; empty: any
  std::string nodes;     // "all" or "a,b"; only `mete measure` has it
  std::vector<std::string> mounts;
  std::vector<std::string> docker_arguments;
  bool allow_privileged = false;
  bool best_effort = false;  // limits that cannot be applied are accepted
};

// Both return the names of the flags they add.
std::vector<std::string> AddApplicationFlags(Command command,
                                             ApplicationFlags& flags);
// Adds all but --memory, --cpus and --repeat, for a verb with its own.
std::vector<std::string> AddSurroundingFlags(Command command,
                                             ApplicationFlags& flags);

// Converts the flags and the arguments after "--" to the application to run.
Result<ApplicationSpec> MakeSpec(const ApplicationFlags& flags,
                                 const std::vector<std::string>& arguments);

// Returns a complaint if a flag for containers was given without --image, or
// if the container would have more privileges than allowed.
std::optional<std::string> ImageComplaint(const std::vector<std::string>& given,
                                          const ApplicationFlags& flags);

// Returns a complaint if --pin and --cpuset are given together, or if --pin
// names CPUs that this machine does not have.
std::optional<std::string> PinComplaint(const ApplicationFlags& flags,
                                        Host& host);

}  // namespace mete
