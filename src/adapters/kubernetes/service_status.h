// What the state of a Deployment and its pods says about a service.
#pragma once

#include <string>
#include <vector>

#include "ports/cluster_services.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

// `pods` are all pods that belong to the Deployment. Fails with kCorrupt when
// the objects are not of these kinds.
Result<ClusterServiceStatus> ReadServiceStatus(const Json& deployment,
                                               const std::vector<Json>& pods);

}  // namespace mete
