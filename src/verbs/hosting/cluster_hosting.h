// Services of mete place in a Kubernetes cluster, as Deployments bound to
// nodes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ports/cluster_services.h"
#include "ports/service_host.h"
#include "support/clock.h"

namespace mete {

// What the services need.
struct ClusterHostingDependencies {
  ClusterServices& services;
  Clock& clock;
  std::function<std::string()> draw_id;  // eight letters and digits
  ServicePatience patience{};
};

// Starts, lists and ends them. Nothing is recorded on this machine: labels of
// the Deployments say what each of them is.
class ClusterHosting final : public ServiceHost {
 public:
  explicit ClusterHosting(ClusterHostingDependencies dependencies)
      : needs_(std::move(dependencies)) {}

  Result<HostedService> Start(const ServiceOrder& order,
                              std::stop_token stop) override;
  Result<std::vector<HostedService>> List(std::stop_token stop) override;
  Status Stop(const std::string& id, std::stop_token stop) override;

 private:
  ClusterHostingDependencies needs_;
};

// How the cluster runs the order. The name ends in `id`; a service of a plan
// has a name of its own instead, the same every time, so that applying a plan
// again changes what runs. Fails with kInvalidInput for files of this machine,
// which a cluster cannot read.
Result<ClusterServiceOrder> ToClusterOrder(const ServiceOrder& order,
                                           const std::string& id);

}  // namespace mete
