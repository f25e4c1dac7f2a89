#include "devices/here_nodes.h"

#include "devices/cpu_load.h"

namespace mete {
namespace {

// For how long a reading of the load is used again.
constexpr std::chrono::seconds kFresh{1};

}  // namespace

Result<std::shared_ptr<const NodeSnapshot>> HereNodes::Nodes() {
  ASSIGN_OR_RETURN(std::shared_ptr<const NodeSnapshot> known, source_.Nodes());
  auto snapshot = std::make_shared<NodeSnapshot>(*known);
  SetLoad(device_id_, Load(), *snapshot);
  return std::shared_ptr<const NodeSnapshot>(std::move(snapshot));
}

std::optional<double> HereNodes::Load() {
  std::lock_guard lock(mutex_);
  if (!last_ || clock_.Now() - last_->at > kFresh) {
    std::optional<double> load = ReadCpuLoad(*probe_, clock_, {});
    last_ = {.load = load, .at = clock_.Now()};
  }
  return last_->load;
}

void SetLoad(const std::string& device_id, std::optional<double> load,
             NodeSnapshot& nodes) {
  if (!load) return;
  for (ClusterNode& node : nodes.nodes) {
    if (node.uuid == device_id) node.load = load;
  }
}

}  // namespace mete
