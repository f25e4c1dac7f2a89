// Finds out what predictions need to know about this machine when no Prometheus
// watches it: registers it and measures the speed of the engine once.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "collect/collect_here.h"
#include "domain/device.h"
#include "support/result.h"

namespace mete {

// Dependencies of InspectMachine, opened when they are needed.
struct MachineDependencies {
  // Adds this machine to the stored devices. Empty if Prometheus lists the
  // nodes: then there is nothing to inspect.
  std::function<Result<Device>()> register_this_device{};
  std::function<Result<CollectDependencies>()> collecting{};
};

// Reports on the inspection. Any of them may be empty.
struct InspectCallbacks {
  CollectCallbacks collecting{};
  std::function<void(const std::string&)> detail{};
  std::function<void(const std::string&)> warn{};
};

// Returns this machine. Measures the engine if that was never done: a measured
// speed beats an assumed one. Without an engine, the speed stays assumed and a
// warning says why. Fails when the machine cannot be registered, and with
// kInterrupted.
Result<Device> InspectMachine(const MachineDependencies& needs,
                              const InspectCallbacks& callbacks,
                              std::stop_token stop);

}  // namespace mete
