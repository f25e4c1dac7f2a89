// A Kubernetes cluster behind the port that mete watch uses.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "adapters/kubernetes/api_client.h"
#include "adapters/kubernetes/discovery.h"
#include "adapters/kubernetes/lease.h"
#include "ports/cluster.h"
#include "support/clock.h"

namespace mete {

class KubernetesCluster final : public Cluster {
 public:
  // Connects on first use. Borrows the clock.
  KubernetesCluster(ClusterAccess access, Clock& clock, ApiPace pace = {},
                    uint64_t seed = 1)
      : clock_(clock), client_(std::move(access), clock, pace, seed) {}

  std::string name() const override { return client_.name(); }
  Result<std::vector<NodeObject>> ListNodes(const ClusterScope& scope,
                                            std::stop_token stop) override;
  Result<std::vector<PodObject>> ListPods(const ClusterScope& scope,
                                          std::stop_token stop) override;
  Status Watch(WatchedKind kind, const ClusterScope& scope,
               const WatchCallbacks& callbacks, std::stop_token stop) override;
  Result<ObjectMeta> Get(const ObjectRef& object,
                         std::stop_token stop) override;
  Result<std::vector<ObjectMeta>> Owners(const ObjectMeta& object,
                                         std::stop_token stop) override;
  Result<ObjectMeta> Patch(const AnnotationPatch& patch,
                           std::stop_token stop) override;
  Result<LeaseState> AcquireLease(const LeaseRequest& lease,
                                  std::stop_token stop) override {
    return leases_.Acquire(lease, std::move(stop));
  }
  Status ReleaseLease(const LeaseRequest& lease) override {
    return leases_.Release(lease);
  }

 private:
  // `path`: of the object or of its subresource "status".
  Result<ObjectMeta> PatchAt(const std::string& path,
                             const AnnotationPatch& patch,
                             std::stop_token stop);

  Clock& clock_;
  ApiClient client_;
  Discovery discovery_{client_, clock_};
  Leases leases_{client_, clock_};
};

}  // namespace mete
