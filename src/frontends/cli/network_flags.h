// The flags for measuring a network. Every verb that measures or queues one
// shares them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "flags/command.h"
#include "measure/network_options.h"

namespace mete {

// The values of the flags as the user gave them.
struct NetworkFlags {
  std::string file;
  std::optional<uint64_t> iterations;
  std::optional<std::string> duration;
  std::optional<std::string> until;
  std::optional<std::string> max_duration;
  std::optional<uint64_t> warmup;
  int64_t batch = 1;
  std::vector<std::string> shapes;
  std::vector<std::string> inputs;
  std::string image_path;
  uint64_t seed = 0;
  bool layers = false;
  std::string provider;
  std::string optimization;
  int inter_op_threads = 1;
  std::string spinning;
  std::string arena;
};

// The flags in groups, for a verb with other flags between them.
void AddEndingFlags(Command command, NetworkFlags& flags);
void AddInputFlags(Command command, NetworkFlags& flags);
void AddEngineFlags(Command command, NetworkFlags& flags);
Flag AddLayersFlag(Command command, NetworkFlags& flags);
// All groups. Returns the names of the flags.
std::vector<std::string> AddNetworkFlags(Command command, NetworkFlags& flags);

// The flags must have been validated when they were parsed.
NetworkOptions MakeNetworkOptions(const NetworkFlags& flags);

}  // namespace mete
