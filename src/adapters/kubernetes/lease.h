// Leader election with a Lease (coordination.k8s.io/v1).
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>

#include "adapters/kubernetes/api_client.h"
#include "ports/cluster.h"
#include "support/clock.h"
#include "support/json_fwd.h"

namespace mete {

// Takes, renews and releases leases. Thread-safe. Borrows client and clock.
class Leases {
 public:
  Leases(ApiClient& client, Clock& clock) : client_(client), clock_(clock) {}

  // See Cluster.
  Result<LeaseState> Acquire(const LeaseRequest& lease, std::stop_token stop);
  Status Release(const LeaseRequest& lease);

 private:
  // A lease as last seen, and since when it has not changed.
  struct Seen {
    std::string renewed;
    std::string holder;
    std::chrono::nanoseconds since{0};
  };

  Result<LeaseState> Create(const LeaseRequest& lease, std::stop_token stop);
  Result<LeaseState> Update(const LeaseRequest& lease, Json object,
                            std::stop_token stop);
  // True if its holder has not renewed it in time.
  bool Expired(const LeaseRequest& lease, const Json& spec);

  ApiClient& client_;
  Clock& clock_;
  std::mutex mutex_;  // guards the rest
  std::map<std::string, Seen> seen_;
};

}  // namespace mete
