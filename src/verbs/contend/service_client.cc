#include "contend/service_client.h"

#include <fmt/format.h>

#include "load/generated_request.h"
#include "support/text.h"

namespace mete {
namespace {

constexpr HttpPatience kExchangePatience{.silence = std::chrono::seconds(60),
                                         .whole = std::chrono::seconds(60)};
constexpr HttpPatience kReadyPatience{.silence = std::chrono::seconds(1),
                                      .whole = std::chrono::seconds(1)};
// Of what a service said, in an error message.
constexpr size_t kMostBytes = 200;

}  // namespace

Result<std::string> ServiceClient::Exchange(const HttpRequest& request,
                                            std::stop_token stop) const {
  ASSIGN_OR_RETURN(HttpResponse response,
                   http_.Send(request, kExchangePatience, std::move(stop)));
  if (response.ok()) return std::move(response.body);
  return Unavailable(fmt::format("{} {}: status {}: {}", request.method,
                                 request.target, response.status,
                                 Tame(response.body, kMostBytes)));
}

bool ServiceClient::IsReady(std::stop_token stop) const {
  auto response = http_.Send({.target = "/v2/health/ready"}, kReadyPatience,
                             std::move(stop));
  return response.ok() && response->ok();
}

Status ServiceClient::Infer(std::stop_token stop) const {
  RETURN_IF_ERROR(Exchange(GeneratedInferenceRequest(), std::move(stop)));
  return {};
}

Status ServiceClient::Flush(std::stop_token stop) const {
  RETURN_IF_ERROR(Exchange({.method = "POST",
                            .target = "/flush",
                            .fields = {{"content-type", "application/json"}},
                            .body = "{}"},
                           std::move(stop)));
  return {};
}

Result<ServiceTimes> ServiceClient::Times(std::stop_token stop) const {
  ASSIGN_OR_RETURN(std::string body,
                   Exchange({.target = "/service-times"}, std::move(stop)));
  return ParseServiceTimes(body);
}

}  // namespace mete
