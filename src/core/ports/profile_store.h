// Port: stores what mete watch concluded about the objects of a cluster.
#pragma once

#include <chrono>
#include <vector>

#include "domain/cluster_object.h"
#include "support/result.h"

namespace mete {

// The annotations of one object, which kind, namespace and name identify.
struct StoredProfile {
  ObjectRef object;  // without uid and API version
  LabelMap annotations;
  std::chrono::system_clock::time_point updated_at;
};

// Stores profiles. Every call is one transaction.
class ProfileStore {
 public:
  virtual ~ProfileStore() = default;

  // Inserts or replaces all of them; one without annotations is removed. Fails
  // with kInvalidInput, and stores none, if one has no kind or name.
  virtual Status SaveProfiles(const std::vector<StoredProfile>& profiles) = 0;
  // Sorted by kind, namespace and name.
  virtual Result<std::vector<StoredProfile>> ListProfiles() = 0;
};

}  // namespace mete
