// A client of Prometheus' query API, which VictoriaMetrics and Thanos speak,
// too.
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

// Where it is and how it knows us. Secrets stay in their files and are read
// for every query: they change.
struct PrometheusPlace {
  Url url;
  std::filesystem::path bearer_token_file;  // empty: none
  std::string username;                     // empty: no HTTP Basic
  std::filesystem::path password_file;
  std::string ca_file;  // empty: the system's
};

// From any thread.
class PrometheusClient {
 public:
  explicit PrometheusClient(PrometheusPlace place);

  // The values now. Fails with kTimeout after `deadline`, kUnavailable when it
  // does not answer or refuses, kPermissionDenied when it does not know us or
  // does not prove who it is, kCorrupt for what is no answer.
  Result<std::vector<MetricSample>> Query(
      const std::string& promql, std::chrono::milliseconds deadline) const;

 private:
  Result<HttpFields> Credentials() const;

  PrometheusPlace place_;
  HttpClient http_;
};

}  // namespace mete
