#include "adapters/prometheus/prometheus_client.h"

#include <fmt/format.h>

#include "adapters/prometheus/range_answer.h"
#include "support/base64.h"
#include "support/file.h"

namespace mete {
namespace {

Result<std::string> FirstLine(const std::filesystem::path& path) {
  ASSIGN_OR_RETURN(std::string text, ReadFile(path));
  text.erase(std::min(text.find_first_of("\r\n"), text.size()));
  return text;
}

// Prometheus takes seconds since 1970 with three decimals.
std::string UnixTime(WallTime time) {
  auto milliseconds =
      std::chrono::floor<std::chrono::milliseconds>(time.time_since_epoch());
  return fmt::format("{:.3f}",
                     static_cast<double>(milliseconds.count()) / 1000);
}

std::string RangeTarget(const HistoryQuery& query) {
  return fmt::format("/api/v1/query_range?query={}&start={}&end={}&step={:.3f}",
                     PercentEncode(query.promql), UnixTime(query.from),
                     UnixTime(query.to), query.step.count());
}

// Seconds only; servers of metrics do not send dates.
std::optional<Seconds> RetryAfter(const HttpResponse& response) {
  auto field = response.fields.find("retry-after");
  if (field == response.fields.end()) return std::nullopt;
  auto seconds = ParseCount(field->second);
  if (!seconds.ok()) return std::nullopt;
  return Seconds(static_cast<double>(*seconds));
}

// The meaning of a response by its status: 400 and 422 are the query's fault;
// 429 and 5xx pass.
Result<HistorySet> ReadRange(HttpResponse& response, const std::string& who) {
  auto status =
      fmt::format("{} responded with status {}", who, response.status);
  if (response.status == 401 || response.status == 403) {
    return Error(ErrorCode::kPermissionDenied, status);
  }
  if (response.ok()) return ParseRangeAnswer(response.body);
  std::string why = status;
  if (auto said = RejectionText(response.body); !said.empty()) {
    why += ": " + said;
  }
  bool passes = response.status == 429 || response.status == 408 ||
                response.status >= 500;
  return passes ? Unavailable(why) : InvalidInput(why);
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

RangeReply PrometheusClient::QueryRange(const HistoryQuery& query,
                                        std::chrono::milliseconds deadline,
                                        std::stop_token stop) const {
  const std::string act = "query " + name();
  auto credentials = Credentials();
  if (!credentials.ok()) return {credentials.error().While(act), {}};
  auto response = http_.Send({.target = place_.url.path + RangeTarget(query),
                              .fields = *std::move(credentials)},
                             {.silence = deadline, .whole = deadline}, stop);
  if (!response.ok()) return {response.error().While(act), {}};
  return {ReadRange(*response, http_.endpoint().Text()).While(act),
          RetryAfter(*response)};
}

}  // namespace mete
