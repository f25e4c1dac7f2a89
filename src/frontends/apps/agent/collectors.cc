#include "apps/agent/collectors.h"

#include <cstdlib>

#include "adapters/host/linux_host.h"
#include "adapters/nvml/nvml_library.h"
#include "agent/application_collector.h"
#include "agent/characterization_collector.h"
#include "agent/container_collector.h"
#include "agent/device_collector.h"
#include "agent/engine_collector.h"
#include "agent/engine_measurer.h"
#include "agent/filesystem_collector.h"
#include "agent/gpu_collector.h"
#include "agent/self_collector.h"
#include "flags/version.h"
#include "linux/container_groups.h"
#include "linux/program_name.h"
#include "support/units.h"
#include "wiring/machine/machine_sources.h"

namespace mete {
namespace {

std::string NodeName(const AgentFlags& flags, LinuxHost& host) {
  if (!flags.node.empty()) return flags.node;
  const char* given = std::getenv("NODE_NAME");  // set by DaemonSets
  if (given != nullptr && *given != '\0') return given;
  return host.HostName();
}

std::chrono::seconds WholeSeconds(const std::string& duration) {
  auto seconds =
      std::chrono::ceil<std::chrono::seconds>(*ParseDuration(duration));
  return std::max(seconds, std::chrono::seconds(1));
}

HookCounts ReadCounts(const HookReceiver& receiver) {
  const HookReceiverCounts counts = receiver.counts();
  return {.datagrams = counts.datagrams,
          .messages = counts.messages,
          .malformed = counts.malformed,
          .oversized = counts.oversized,
          .refused = counts.refused};
}

AppOrigin FindOrigin(const SystemRoot& root, int process) {
  std::string app = ProgramName(root, process);
  auto container = ContainerOfProcess(root, process);
  return {.app = app.empty() ? "unknown" : app,
          .container = container ? container->ShortName() : ""};
}

}  // namespace

Result<DeviceIdentity> ReadIdentity(const AgentFlags& flags,
                                    const SystemRoot& root) {
  LinuxHost host(flags.root, flags.state);
  ASSIGN_OR_RETURN(std::string id, host.DeviceId());
  ASSIGN_OR_RETURN(DeviceFacts facts, host.Facts());
  return DeviceIdentity{.node = NodeName(flags, host),
                        .uuid = MakeUuid(id),
                        .kind = ReadMachineKind(root),
                        .facts = std::move(facts)};
}

std::vector<std::unique_ptr<Collector>> MakeCollectors(
    const AgentFlags& flags, const DeviceIdentity& identity,
    const SystemRoot& root, Clock& clock) {
  NodeLocation location;
  if (!flags.location.empty()) location = *ParseLocation(flags.location);
  std::vector<std::unique_ptr<Collector>> collectors;
  auto add = [&](std::unique_ptr<Collector> collector) {
    collectors.push_back(std::move(collector));
  };
  add(std::make_unique<SelfCollector>(kVersion, identity.facts.architecture,
                                      clock));
  add(std::make_unique<CharacterizationCollector>(identity, location, root,
                                                  clock));
  add(std::make_unique<DeviceCollector>(identity, root, clock));
  add(std::make_unique<FilesystemCollector>(identity.node, root, clock));
  add(std::make_unique<ContainerCollector>(identity.node, root, clock));
  add(std::make_unique<EngineCollector>(identity.node,
                                        EngineSpeedsFile(flags.state)));
  return collectors;
}

std::unique_ptr<Collector> MakeGpuCollector(const AgentFlags& flags,
                                            const DeviceIdentity& identity,
                                            const SystemRoot& root,
                                            const Clock& clock) {
  return std::make_unique<GpuCollector>(
      OpenMachineSources(NvmlLibrary::kUsualName, clock).present, root,
      flags.compat ? std::optional(identity.node) : std::nullopt);
}

Result<Applications> ListenToApplications(
    const AgentFlags& flags, const std::string& node, const SystemRoot& root,
    const Clock& clock, std::function<void(const std::string&)> warn) {
  Applications made;
  made.book = std::make_unique<ApplicationBook>(
      ApplicationBookSettings{
          .expiry = WholeSeconds(flags.app_expiry),
          .origin_of =
              [root](int process) { return FindOrigin(root, process); },
          .bounds = flags.buckets.empty()
                        ? DefaultDurationBounds()
                        : *ParseDurationBounds(flags.buckets)},
      clock);
  ASSIGN_OR_RETURN(made.receiver,
                   HookReceiver::Open(
                       {.folder = flags.hook_folder,
                        .access = flags.hooks_for_all ? SocketAccess::kEveryone
                                                      : SocketAccess::kOwner,
                        .warn = std::move(warn)},
                       *made.book, clock));
  made.collector = std::make_unique<ApplicationCollector>(
      ApplicationCollector::Request{
          .node = node,
          .book = *made.book,
          .counts = [receiver =
                         made.receiver.get()] { return ReadCounts(*receiver); },
          .window = WholeSeconds(flags.app_window)},
      clock);
  return made;
}

}  // namespace mete
