#include "adapters/prometheus/prometheus_client.h"

#include <fmt/format.h>

#include "support/base64.h"
#include "support/file.h"

namespace mete {
namespace {

Result<std::string> FirstLine(const std::filesystem::path& path) {
  ASSIGN_OR_RETURN(std::string text, ReadFile(path));
  text.erase(std::min(text.find_first_of("\r\n"), text.size()));
  return text;
}

}  // namespace

PrometheusClient::PrometheusClient(PrometheusPlace place)
    : place_(std::move(place)),
      http_(place_.url.endpoint, {.ca_file = place_.ca_file}) {}

Result<HttpFields> PrometheusClient::Credentials() const {
  HttpFields fields;
  if (!place_.bearer_token_file.empty()) {
    ASSIGN_OR_RETURN(std::string token, FirstLine(place_.bearer_token_file));
    fields["authorization"] = "Bearer " + token;
  } else if (!place_.username.empty()) {
    std::string password;
    if (!place_.password_file.empty()) {
      ASSIGN_OR_RETURN(password, FirstLine(place_.password_file));
    }
    fields["authorization"] =
        "Basic " + EncodeBase64(place_.username + ":" + password);
  }
  return fields;
}

Result<std::vector<MetricSample>> PrometheusClient::Query(
    const std::string& promql, std::chrono::milliseconds deadline) const {
  const std::string act = "query Prometheus";
  auto credentials = Credentials();
  if (!credentials.ok()) return credentials.error().While(act);
  auto response =
      http_.Send({.target = place_.url.path +
                            "/api/v1/query?query=" + PercentEncode(promql),
                  .fields = *std::move(credentials)},
                 {.silence = deadline, .whole = deadline});
  if (!response.ok()) return response.error().While(act);
  if (response->status == 401 || response->status == 403) {
    return Error(ErrorCode::kPermissionDenied,
                 fmt::format("{}: {} responded with status {}", act,
                             http_.endpoint().Text(), response->status));
  }
  auto samples = ParseQueryAnswer(response->body);
  // Rejected queries have another status and the reason in the body.
  if (samples.ok() || samples.error().code() == ErrorCode::kUnavailable ||
      response->ok()) {
    return std::move(samples).While(act);
  }
  return Unavailable(fmt::format("{}: {} responded with status {}", act,
                                 http_.endpoint().Text(), response->status));
}

}  // namespace mete
