// Remembers the top owners of pods, so that a round does not ask the API server
// for the same objects again.
#pragma once

#include <map>
#include <optional>
#include <stop_token>
#include <string>

#include "ports/cluster.h"
#include "support/clock.h"

namespace mete {

// Used by one thread.
class OwnerCache {
 public:
  OwnerCache(Cluster& cluster, const Clock& clock)
      : cluster_(cluster), clock_(clock) {}

  // The object at the top of the pod's owners; absent without owners, and for a
  // static pod, which its node owns. Asks again after ten minutes.
  Result<std::optional<ObjectMeta>> Top(const PodObject& pod,
                                        std::stop_token stop);
  // Records annotations that were written to an owner.
  void Apply(const AnnotationPatch& patch);
  // Forgets owners of pods that no longer exist.
  void Retain(const std::vector<PodObject>& pods);

 private:
  struct Entry {
    std::optional<ObjectMeta> top;
    std::chrono::nanoseconds asked{0};
  };

  Cluster& cluster_;
  const Clock& clock_;
  std::map<std::string, Entry> by_owner_;  // by the uid of the nearest owner
};

}  // namespace mete
