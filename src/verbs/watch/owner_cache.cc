#include "watch/owner_cache.h"

#include <algorithm>
#include <set>

namespace mete {
namespace {

constexpr std::chrono::minutes kOwnerAge{10};

// The owner that Cluster::Owners follows.
const OwnerReference* NearestOwner(const ObjectMeta& object) {
  if (object.owners.empty()) return nullptr;
  auto found =
      std::ranges::find(object.owners, true, &OwnerReference::controller);
  return found == object.owners.end() ? &object.owners.front() : &*found;
}

}  // namespace

Result<std::optional<ObjectMeta>> OwnerCache::Top(const PodObject& pod,
                                                  std::stop_token stop) {
  const OwnerReference* nearest = NearestOwner(pod.meta);
  if (nearest == nullptr || nearest->kind == "Node") {
    return std::optional<ObjectMeta>();
  }
  auto known = by_owner_.find(nearest->uid);
  if (known != by_owner_.end() &&
      clock_.Now() - known->second.asked < kOwnerAge) {
    return known->second.top;
  }
  ASSIGN_OR_RETURN(auto chain, cluster_.Owners(pod.meta, stop));
  Entry entry{.asked = clock_.Now()};
  if (!chain.empty()) entry.top = std::move(chain.back());
  by_owner_[nearest->uid] = entry;
  return entry.top;
}

void OwnerCache::Apply(const AnnotationPatch& patch) {
  for (auto& [uid, entry] : by_owner_) {
    if (!entry.top || entry.top->ref != patch.object) continue;
    for (const auto& [key, value] : patch.set) {
      entry.top->annotations[key] = value;
    }
    for (const std::string& key : patch.remove) {
      entry.top->annotations.erase(key);
    }
  }
}

void OwnerCache::Retain(const std::vector<PodObject>& pods) {
  std::set<std::string> used;
  for (const PodObject& pod : pods) {
    if (const auto* nearest = NearestOwner(pod.meta)) used.insert(nearest->uid);
  }
  std::erase_if(by_owner_,
                [&](const auto& entry) { return !used.contains(entry.first); });
}

}  // namespace mete
