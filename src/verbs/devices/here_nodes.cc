#include "devices/here_nodes.h"

#include "devices/cpu_load.h"

namespace mete {

Result<std::shared_ptr<const NodeSnapshot>> HereNodes::Nodes() {
  ASSIGN_OR_RETURN(std::shared_ptr<const NodeSnapshot> known, source_.Nodes());
  auto snapshot = std::make_shared<NodeSnapshot>(*known);
  std::lock_guard lock(mutex_);
  SetLoad(device_id_, ReadCpuLoad(*probe_, clock_, {}), *snapshot);
  return std::shared_ptr<const NodeSnapshot>(std::move(snapshot));
}

void SetLoad(const std::string& device_id, std::optional<double> load,
             NodeSnapshot& nodes) {
  if (!load) return;
  for (ClusterNode& node : nodes.nodes) {
    if (node.uuid == device_id) node.load = load;
  }
}

}  // namespace mete
