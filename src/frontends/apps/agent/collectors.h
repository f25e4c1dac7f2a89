// Makes the collectors of the agent from its flags.
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

// Makes all collectors except those for GPUs and applications. Opens the files
// that only root can open.
std::vector<std::unique_ptr<Collector>> MakeCollectors(
    const AgentFlags& flags, const DeviceIdentity& identity,
    const SystemRoot& root, Clock& clock);

// Starts tegrastats if this is a Jetson board.
std::unique_ptr<Collector> MakeGpuCollector(const AgentFlags& flags,
                                            const DeviceIdentity& identity,
                                            const SystemRoot& root,
                                            const Clock& clock);

// Metrics reported by applications, and the receiver for them.
struct Applications {
  std::unique_ptr<ApplicationBook> book;
  std::unique_ptr<HookReceiver> receiver;  // destroyed before the book
  std::unique_ptr<Collector> collector;
};
Result<Applications> ListenToApplications(
    const AgentFlags& flags, const std::string& node, const SystemRoot& root,
    const Clock& clock, std::function<void(const std::string&)> warn);

}  // namespace mete
