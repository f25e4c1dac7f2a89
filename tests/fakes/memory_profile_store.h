// An in-memory ProfileStore for tests.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "ports/profile_store.h"

namespace mete {

class MemoryProfileStore final : public ProfileStore {
 public:
  Status SaveProfiles(const std::vector<StoredProfile>& profiles) override {
    for (const StoredProfile& profile : profiles) {
      if (profile.object.kind.empty() || profile.object.name.empty()) {
        return InvalidInput("save profile: it has no kind or name");
      }
    }
    for (const StoredProfile& profile : profiles) {
      std::tuple key(profile.object.kind, profile.object.space,
                     profile.object.name);
      profiles_.erase(key);
      if (!profile.annotations.empty()) profiles_[key] = profile;
    }
    return {};
  }
  Result<std::vector<StoredProfile>> ListProfiles() override {
    std::vector<StoredProfile> list;
    for (const auto& [key, profile] : profiles_) list.push_back(profile);
    return list;
  }

 private:
  std::map<std::tuple<std::string, std::string, std::string>, StoredProfile>
      profiles_;
};

}  // namespace mete
