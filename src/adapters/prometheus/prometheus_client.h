// Client of Prometheus' query API, which VictoriaMetrics and Thanos also
// support.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "adapters/prometheus/query_answer.h"
#include "net/endpoint.h"
#include "net/http_client.h"
#include "ports/metric_history.h"
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

// The answer to one range query, and how long the server asks us to wait before
// the next one (Retry-After).
struct RangeReply {
  Result<HistorySet> series;
  std::optional<Seconds> retry_after;
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

  // The values over a range, in one request. Fails as Query does, but with
  // kInvalidInput when the server rejects the query; kUnavailable and kTimeout
  // are worth a retry.
  RangeReply QueryRange(const HistoryQuery& query,
                        std::chrono::milliseconds deadline,
                        std::stop_token stop) const;

  // "http://127.0.0.1:9090/prometheus".
  std::string name() const { return http_.endpoint().Text() + place_.url.path; }

 private:
  Result<HttpFields> Credentials() const;

  PrometheusPlace place_;
  HttpClient http_;
};

}  // namespace mete
