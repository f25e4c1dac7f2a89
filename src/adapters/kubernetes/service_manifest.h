// Describes a service of a cluster as a Deployment and a Service.
#pragma once

#include <string>

#include "ports/cluster_services.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

// Label with the name of the service, on everything that belongs to it.
inline constexpr const char* kServiceLabel = "mete.dev/service";

// Fails with kUnsupported for limits that pods do not have, and with
// kInvalidInput for an order without an image or an instance.
Status CheckServiceOrder(const ClusterServiceOrder& order);

// Runs the instances.
Json DeploymentManifest(const ClusterServiceOrder& order);
// Gives them one address in the cluster.
Json ServiceManifest(const ClusterServiceOrder& order);

}  // namespace mete
