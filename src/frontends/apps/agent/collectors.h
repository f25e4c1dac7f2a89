// Which collectors the agent has, made from its flags.
#pragma once

#include <memory>
#include <vector>

#include "adapters/hook/hook_receiver.h"
#include "agent/application_book.h"
#include "agent/collector.h"
#include "agent/device_identity.h"
#include "apps/agent/agent_flags.h"
#include "linux/system_root.h"
#include "support/clock.h"
#include "support/result.h"

namespace mete {

Result<DeviceIdentity> ReadIdentity(const AgentFlags& flags,
                                    const SystemRoot& root);

// Everything but GPUs and applications. What only root may open is opened here.
std::vector<std::unique_ptr<Collector>> MakeCollectors(
    const AgentFlags& flags, const DeviceIdentity& identity,
    const SystemRoot& root, Clock& clock);

// Starts the tool of a Jetson's maker, where there is one.
std::unique_ptr<Collector> MakeGpuCollector(const AgentFlags& flags,
                                            const DeviceIdentity& identity,
                                            const SystemRoot& root,
                                            const Clock& clock);

// What applications tell, and who listens to them.
struct Applications {
  std::unique_ptr<ApplicationBook> book;
  std::unique_ptr<HookReceiver> receiver;  // ends before the book
  std::unique_ptr<Collector> collector;
};
Result<Applications> ListenToApplications(
    const AgentFlags& flags, const SystemRoot& root, const Clock& clock,
    std::function<void(const std::string&)> warn);

}  // namespace mete
