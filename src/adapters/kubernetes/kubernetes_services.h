// Runs services as Deployments of a Kubernetes cluster.
#pragma once

#include <string>
#include <vector>

#include "adapters/kubernetes/api_client.h"
#include "ports/cluster_services.h"
#include "support/clock.h"
#include "support/json_fwd.h"

namespace mete {

class KubernetesServices final : public ClusterServices {
 public:
  // In the namespace of the access. Connects on first use. Borrows the clock.
  KubernetesServices(ClusterAccess access, Clock& clock, ApiPace pace = {},
                     uint64_t seed = 1)
      : space_(access.space), client_(std::move(access), clock, pace, seed) {}

  Status Apply(const ClusterServiceOrder& order, std::stop_token stop) override;
  Result<ClusterServiceStatus> Get(const std::string& name,
                                   std::stop_token stop) override;
  Result<std::vector<ClusterServiceStatus>> List(const LabelMap& labels,
                                                 std::stop_token stop) override;
  Status Remove(const std::string& name, std::stop_token stop) override;

 private:
  // Paths of the objects of a service.
  std::string DeploymentPath(const std::string& name) const;
  std::string ServicePath(const std::string& name) const;
  // Whether the object exists. Fails with kInvalidInput if it is not mete's.
  Result<bool> IsOurs(const std::string& path, const std::string& text,
                      std::stop_token stop);
  Status Write(const std::string& path, const Json& object,
               const std::string& act, std::stop_token stop);
  Status RemoveObjects(const std::string& name, std::stop_token stop);

  const std::string space_;
  ApiClient client_;
};

}  // namespace mete
