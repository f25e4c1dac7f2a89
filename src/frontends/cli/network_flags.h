// The flags that describe the measurement of a network: for `mete measure`, and
// for the processes that it starts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/settings.h"
#include "flags/command.h"
#include "measure/measure_and_store_network.h"
#include "support/result.h"

namespace mete {

// The values of the flags. Settings replace those that are absent.
struct NetworkFlags {
  std::string network;
  std::optional<uint64_t> iterations;
  std::optional<std::string> duration;
  std::optional<std::string> until;
  std::optional<std::string> max_duration;
  std::optional<uint64_t> warmup;
  std::optional<int> threads;
  std::optional<std::string> pin;
  int64_t batch = 1;
  std::vector<std::string> shapes;
  std::vector<std::string> inputs;
  std::string image_path;
  bool layers = false;
  std::optional<uint64_t> top;
  std::string trace;
  std::string provider;
  std::string optimization;
  int inter_op_threads = 1;
  std::string spinning;
  std::string arena;
  uint64_t seed = 0;
  std::string device;
};

// The flags in two groups, so that a command can put others between them in
// its help.
void AddNetworkFlags(Command command, NetworkFlags& flags);
void AddEngineFlags(Command command, NetworkFlags& flags);

// Fails with kInvalidInput when a shape is invalid.
Result<NetworkMeasurementRequest> MakeNetworkRequest(const NetworkFlags& flags,
                                                     const Settings& settings);

}  // namespace mete
