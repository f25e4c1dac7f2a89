#include "devices/store_nodes.h"

namespace mete {

ClusterNode ToNode(const Device& device) {
  ClusterNode node{.name = device.name,
                   .kind = device.emulated ? "Emulated" : "Computer",
                   .uuid = device.id,
                   .device_model = device.facts.board.empty()
                                       ? device.facts.cpu_model
                                       : device.facts.board,
                   .emulated = device.emulated,
                   .facts = device.facts,
                   .micro = device.micro};
  if (device.emulation) node.limits = device.emulation->limits;
  if (!KnowsItsCpus(node)) node.unknown = "its number of cores is unknown";
  return node;
}

Result<std::shared_ptr<const NodeSnapshot>> StoreNodes::Nodes() {
  ASSIGN_OR_RETURN(std::vector<Device> devices, store_.ListDevices());
  auto snapshot = std::make_shared<NodeSnapshot>();
  snapshot->taken_at = clock_.Wall();
  for (const Device& device : devices) {
    snapshot->nodes.push_back(ToNode(device));
  }
  return std::shared_ptr<const NodeSnapshot>(std::move(snapshot));
}

}  // namespace mete
