// The three kinds of things that `mete measure` measures. Each function is in a
// file of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/application_flags.h"
#include "cli/network_flags.h"
#include "cli/verb.h"
#include "measure/measure_and_store_network.h"
#include "measure/measure_application.h"
#include "measure/observe_service.h"

namespace mete {

// The flags of `mete measure` for a network, besides those that other verbs
// share.
struct MeasuredNetworkFlags {
  NetworkFlags network;
  std::optional<int> threads;
  std::optional<std::string> pin;
  std::optional<uint64_t> top;
  std::string trace;
  std::string device;
};

// Something that already runs, and for how long to observe it.
struct ServiceFlags {
  std::optional<int> pid;
  std::string container;
  std::optional<std::string> duration;

  bool given() const { return pid || !container.empty(); }
};

// Measures a network, `repeat` times in processes of its own if that is more
// than 1.
Result<ExitCode> MeasureNetworkFile(
    Invocation& invocation, const MeasuredNetworkFlags& flags, uint64_t repeat,
    const MeasureNetworkDependencies& dependencies);

// Measures a command or an image, or a network in a process with limits.
Result<ExitCode> MeasureProcess(
    Invocation& invocation, const ApplicationFlags& flags,
    const NetworkFlags& network,
    const MeasureApplicationDependencies& dependencies);

Result<ExitCode> ObserveProcessOrContainer(
    Invocation& invocation, const ServiceFlags& flags,
    const ApplicationFlags& application,
    const ObserveDependencies& dependencies);

}  // namespace mete
