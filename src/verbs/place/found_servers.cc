#include "place/found_servers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "support/nearest.h"
#include "support/text.h"

namespace mete {
namespace {

std::optional<Bytes> MemoryOf(const Device& device) {
  if (device.emulation && device.emulation->limits.memory) {
    return device.emulation->limits.memory;
  }
  if (device.facts.ram.count == 0) return std::nullopt;
  return device.facts.ram;
}

bool AcceptsPods(const NodeObject& node) {
  return node.ready && !node.unschedulable && node.allocatable.memory &&
         node.allocatable.cpus;
}

}  // namespace

Result<std::vector<ServerType>> ServersFromDevices(
    const std::vector<Device>& devices, const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const Device& device : devices) known.push_back(device.name);
  for (const std::string& name : names) {
    if (HasItem(known, name)) continue;
    return InvalidInput(fmt::format("no device is called '{}'{}", name,
                                    DidYouMean(name, known)));
  }
  std::vector<ServerType> servers;
  for (const Device& device : devices) {
    if (!names.empty() && !HasItem(names, device.name)) continue;
    auto memory = MemoryOf(device);
    if (!memory) {
      return InvalidInput("the memory of " + device.name + " is not known");
    }
    servers.push_back({.name = device.name,
                       .count = 1,
                       .memory = *memory,
                       .cores = UsableCpus(device),
                       .names = {device.name}});
  }
  if (servers.empty()) return InvalidInput("there are no devices");
  return servers;
}

Result<std::vector<ServerType>> ServersFromNodes(
    const std::vector<NodeObject>& nodes) {
  std::map<std::pair<uint64_t, int64_t>, ServerType> types;
  for (const NodeObject& node : nodes) {
    const ResourceAmounts& free = node.allocatable;
    if (!AcceptsPods(node)) continue;
    ServerType& type = types[{free.memory->count, free.cpus->count}];
    if (type.name.empty()) {
      type.name = fmt::format("nodes-{}", types.size());
      type.memory = *free.memory;
      type.cores = double(free.cpus->count) / 1000;
    }
    type.names.push_back(node.meta.ref.name);
    type.count = static_cast<int>(type.names.size());
  }
  if (types.empty()) {
    return InvalidInput("the cluster has no node that accepts pods");
  }
  std::vector<ServerType> servers;
  for (auto& [key, type] : types) servers.push_back(std::move(type));
  return servers;
}

std::vector<LocalPlace> PlacesOnNodes(const std::vector<NodeObject>& nodes) {
  std::vector<LocalPlace> places;
  for (const NodeObject& node : nodes) {
    if (!AcceptsPods(node)) continue;
    const int64_t cpus = node.allocatable.cpus->count / 1000;
    places.push_back({.device = node.meta.ref.name,
                      .threads = static_cast<int>(std::max<int64_t>(1, cpus))});
  }
  return places;
}

void FillCosts(const std::string& costs, std::vector<ServerType>& servers) {
  constexpr std::string_view kPredictor = "predictor:";
  for (ServerType& type : servers) {
    if (!type.costs.empty() || !type.predictor.empty()) continue;
    if (costs.empty()) {
      type.predictor = type.name;
    } else if (costs.starts_with(kPredictor)) {
      type.predictor = costs.substr(kPredictor.size());
    } else {
      type.costs = costs;
    }
  }
}

}  // namespace mete
