// Finds the URL of an object of any kind, asking the server for the plurals of
// kinds that it does not know yet.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "adapters/kubernetes/api_client.h"
#include "adapters/kubernetes/object_json.h"
#include "domain/cluster_object.h"
#include "support/clock.h"
#include "support/result.h"

namespace mete {

// "/api/v1" for "v1", "/apis/batch/v1" for "batch/v1".
std::string ApiRoot(const std::string& api_version);

// "/apis/batch/v1/namespaces/ml/jobs", or for all namespaces if `space` is
// empty.
std::string CollectionPath(const std::string& api_version,
                           const std::string& plural, const std::string& space);

// Thread-safe. Borrows the client and the clock.
class Discovery {
 public:
  Discovery(ApiClient& client, Clock& clock) : client_(client), clock_(clock) {}

  // The path of an object. Fails with kNotFound when the server does not know
  // its kind; asks again after a minute, because it may have been installed.
  Result<std::string> Path(const ObjectRef& object, std::stop_token stop);

 private:
  struct Known {
    std::vector<ApiResource> resources;
    std::chrono::nanoseconds asked{0};
  };
  Result<Known> Ask(const std::string& api_version, std::stop_token stop);

  ApiClient& client_;
  Clock& clock_;
  std::mutex mutex_;  // guards the rest
  std::map<std::string, Known> known_;
};

}  // namespace mete
