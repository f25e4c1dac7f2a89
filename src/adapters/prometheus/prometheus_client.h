// Client of Prometheus' query API, which VictoriaMetrics and Thanos also
// support.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "adapters/prometheus/query_answer.h"
#include "net/endpoint.h"
#include "net/http_client.h"
#include "support/result.h"

namespace mete {

// The server and our credentials. Secrets stay in their files and are read for
// every query, because they may change.
struct PrometheusPlace {
  Url url;
  std::filesystem::path bearer_token_file;  // empty: none
  std::string username;                     // empty: no basic auth
  std::filesystem::path password_file;
  std::string ca_file;  // empty: the system's
};

// Sends queries to one server. Thread-safe.
class PrometheusClient {
 public:
  explicit PrometheusClient(PrometheusPlace place);

  // The current values. Fails with kTimeout after `deadline`, kUnavailable when
  // the server does not respond or rejects the query, kPermissionDenied when it
  // rejects our credentials or cannot be verified, kCorrupt for anything that
  // is not a valid response.
  Result<std::vector<MetricSample>> Query(
      const std::string& promql, std::chrono::milliseconds deadline) const;

 private:
  Result<HttpFields> Credentials() const;

  PrometheusPlace place_;
  HttpClient http_;
};

}  // namespace mete
