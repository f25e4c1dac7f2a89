// Watches the pods of several namespaces as one collection.
#pragma once

#include <stop_token>

#include "adapters/kubernetes/api_client.h"
#include "ports/cluster.h"
#include "support/clock.h"
#include "support/result.h"

namespace mete {

struct SpacesWatch {
  ApiClient& client;
  const ClusterScope& scope;  // names the namespaces
  const WatchCallbacks& callbacks;
  Clock& clock;
};

// One thread for each namespace; all callbacks on this one. When one namespace
// is listed again, kRelisted contains the pods of the others as well. See
// Cluster::Watch.
Status WatchSpaces(const SpacesWatch& watch, std::stop_token stop);

}  // namespace mete
