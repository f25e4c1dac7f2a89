#include "devices/here_nodes.h"

#include <algorithm>

namespace mete {
namespace {

// For how long a reading of the load is used again. One that kept CPUs busy
// must stay rare.
constexpr std::chrono::seconds kFresh{1};
constexpr std::chrono::seconds kFreshAfterCompeting{30};

}  // namespace

Result<std::shared_ptr<const NodeSnapshot>> HereNodes::Nodes() {
  ASSIGN_OR_RETURN(std::shared_ptr<const NodeSnapshot> known, source_.Nodes());
  auto snapshot = std::make_shared<NodeSnapshot>(*known);
  auto here =
      std::ranges::find(snapshot->nodes, device_id_, &ClusterNode::uuid);
  if (here != snapshot->nodes.end()) {
    if (std::optional<double> load = Load(here->facts.cores)) {
      here->load = load;
    }
  }
  return std::shared_ptr<const NodeSnapshot>(std::move(snapshot));
}

std::optional<double> HereNodes::Load(int cores) {
  std::lock_guard lock(mutex_);
  if (last_) {
    const bool competed = last_->reading && last_->reading->competed;
    const std::chrono::nanoseconds age = clock_.Now() - last_->at;
    if (age <= (competed ? kFreshAfterCompeting : kFresh)) {
      return ToLoad(last_->reading);
    }
  }
  auto reading = ReadLoadBeside({.probe = *probe_,
                                 .clock = clock_,
                                 .threads = std::max(1, cores),
                                 .compete = compete_},
                                {});
  last_ = {.reading = reading, .at = clock_.Now()};
  return ToLoad(reading);
}

std::optional<double> ToLoad(const std::optional<LoadReading>& reading) {
  return reading ? std::optional(reading->load) : std::nullopt;
}

void SetLoad(const std::string& device_id, std::optional<double> load,
             NodeSnapshot& nodes) {
  if (!load) return;
  for (ClusterNode& node : nodes.nodes) {
    if (node.uuid == device_id) node.load = load;
  }
}

}  // namespace mete
