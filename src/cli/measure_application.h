// The half of `mete measure` that runs a command instead of a network.
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
  std::optional<std::string> probes;
  std::vector<std::string> environment;
  std::string dataset;
  std::string out;
  std::optional<int> threads;  // shared with networks
};

// Returns the names of the flags it added: they make no sense for a network.
std::vector<std::string> AddApplicationFlags(Command command,
                                             ApplicationFlags& flags);

// Runs the words after "--", stores every run, and prints them.
Result<ExitCode> MeasureApplication(Invocation& invocation,
                                    const ApplicationFlags& flags);

// "10Hz", "10" -> 10.
Result<double> ParseHertz(std::string_view text);

}  // namespace mete
