#include "watch/store_sink.h"

namespace mete {

Result<std::unique_ptr<StoreSink>> StoreSink::Open(
    std::unique_ptr<ProfileStore> store, const Clock& clock) {
  std::unique_ptr<StoreSink> sink(new StoreSink(std::move(store), clock));
  ASSIGN_OR_RETURN(auto profiles, sink->store_->ListProfiles());
  for (StoredProfile& profile : profiles) {
    sink->book_.Put(profile.object, std::move(profile.annotations));
  }
  return sink;
}

std::vector<Status> StoreSink::Write(
    const std::vector<AnnotationPatch>& patches, std::stop_token) {
  AnnotationBook next = book_;
  std::vector<StoredProfile> profiles;
  for (const AnnotationPatch& patch : patches) {
    next.Apply(patch);
    profiles.push_back({.object = patch.object,
                        .annotations = next.Find(patch.object),
                        .updated_at = clock_.Wall()});
  }
  Status saved = store_->SaveProfiles(profiles);
  if (saved.ok()) book_ = std::move(next);
  return std::vector<Status>(patches.size(), saved);
}

}  // namespace mete
