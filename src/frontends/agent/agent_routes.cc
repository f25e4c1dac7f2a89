#include "agent/agent_routes.h"

namespace mete {
namespace {

constexpr const char* kFrontPage =
    "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">"
    "<title>mete-agent</title>\n<h1>mete-agent</h1>\n"
    "<p>Metrics of this device for Prometheus: "
    "<a href=\"/metrics\">/metrics</a></p></html>\n";

HttpResponse Plain(int status, const char* type, std::string body) {
  return {.status = status,
          .fields = {{"content-type", type}},
          .body = std::move(body)};
}

HttpResponse Refusal(int status, const char* code, const char* message) {
  return Plain(status, "application/json",
               std::string("{\"error\": {\"code\": \"") + code +
                   "\", \"message\": \"" + message + "\"}}\n");
}

std::string_view FieldOr(const HttpFields& fields, std::string_view name) {
  auto found = fields.find(name);
  return found == fields.end() ? std::string_view() : found->second;
}

}  // namespace

HttpResponse AnswerRequest(const HttpRequest& request, Snapshots& snapshots) {
  if (request.method != "GET" && request.method != "HEAD") {
    HttpResponse refusal =
        Refusal(405, "method_not_allowed", "only GET and HEAD are supported");
    refusal.fields["allow"] = "GET, HEAD";
    return refusal;
  }
  const std::string_view path = SplitTarget(request.target).path;
  if (path == "/metrics") {
    const MetricFormat format =
        ChooseMetricFormat(FieldOr(request.fields, "accept"));
    return Plain(200, ContentTypeFor(format).data(), snapshots.Page(format));
  }
  if (path == "/healthz" || path == "/-/healthy") {
    return Plain(200, "text/plain", "ok\n");
  }
  if (path == "/") return Plain(200, "text/html; charset=utf-8", kFrontPage);
  return Refusal(404, "not_found", "no such page; try /metrics or /healthz");
}

}  // namespace mete
