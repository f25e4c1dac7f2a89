// Speaks to one inference service over HTTP.
#pragma once

#include <stop_token>
#include <string>

#include "contend/service_times.h"
#include "net/http_client.h"
#include "support/result.h"

namespace mete {

// A client of one replica. Every call is one exchange of at most a minute and
// fails like HttpClient::Send, or with kUnavailable and the status when the
// service refuses.
class ServiceClient {
 public:
  explicit ServiceClient(Endpoint endpoint) : http_(std::move(endpoint)) {}

  const Endpoint& endpoint() const { return http_.endpoint(); }
  // Whether it accepts requests now.
  bool IsReady(std::stop_token stop) const;
  Status Infer(std::stop_token stop) const;
  Status Flush(std::stop_token stop) const;
  Result<ServiceTimes> Times(std::stop_token stop) const;

 private:
  Result<std::string> Exchange(const HttpRequest& request,
                               std::stop_token stop) const;

  HttpClient http_;
};

}  // namespace mete
