#include "inference/inference_routes.h"

#include <fmt/format.h>

#include <memory>

#include "flags/version.h"
#include "inference/inference_metrics.h"
#include "inference/kserve_json.h"
#include "inference/service_times_json.h"
#include "serve/reply.h"
#include "support/json.h"

namespace mete {
namespace {

// A body up to this size is parsed on the I/O thread.
constexpr size_t kQuickBody = 4096;

HttpReply JsonTextReply(std::string text) {
  HttpReply reply;
  reply.response.status = 200;
  reply.response.fields["content-type"] = "application/json";
  reply.response.fields["cache-control"] = "no-store";
  reply.response.body = std::move(text);
  return reply;
}

// The batch that a request asks for: {"batch_size": b}, or nothing.
Result<int64_t> ReadBatch(std::string_view body, int64_t otherwise) {
  if (body.empty()) return otherwise;
  auto json = ParseSortedJson(body);
  if (!json.ok()) return InvalidInput(json.error().message());
  if (!json->is_object()) return InvalidInput("the body is not an object");
  auto found = json->find("batch_size");
  if (found == json->end()) return otherwise;
  if (!found->is_number_integer()) {
    return InvalidInput("batch_size is not a whole number");
  }
  return found->get<int64_t>();
}

// The engine reports inputs that do not fit as kInvalidInput; kCorrupt means
// that the body is not what the protocol says.
Error AsClientError(const Error& error) {
  if (error.code() != ErrorCode::kCorrupt) return error;
  return InvalidInput(error.message());
}

Json TensorJson(const GraphValue& value) {
  Json shape = Json::array();
  for (const Dimension& axis : value.type.shape.value_or(Shape{}))
    shape.push_back(axis.size.value_or(-1));
  return {{"name", value.name},
          {"datatype", KserveType(value.type.type)},
          {"shape", std::move(shape)}};
}

}  // namespace

InferenceRoutes::InferenceRoutes(InferenceService& service)
    : service_(service) {
  const std::string network =
      "/v2/models/" + PercentEncode(service.request().name);
  auto infer = [this](const HttpRequest& request, const HttpResponder& answer) {
    Infer(request, answer);
  };
  routes_["/infer"]["POST"] = infer;
  routes_[network + "/infer"]["POST"] = infer;
  routes_["/request-static"]["POST"] = [this](const HttpRequest& request,
                                              const HttpResponder& answer) {
    RequestStatic(request, answer);
  };
  Add(network, "GET", [this](const HttpRequest&) { return DescribeNetwork(); });
  Add(network + "/ready", "GET", [this](const HttpRequest&) {
    const bool ready = service_.accepting();
    return JsonReply(ready ? 200 : 503,
                     Json{{"name", service_.request().name}, {"ready", ready}});
  });
  AddHealth();
  AddRecords();
}

void InferenceRoutes::Add(const std::string& path, const std::string& method,
                          Now handler) {
  routes_[path][method] = [handler = std::move(handler)](
                              const HttpRequest& request,
                              const HttpResponder& answer) {
    answer(handler(request));
  };
}

void InferenceRoutes::AddHealth() {
  Add("/v2", "GET", [](const HttpRequest&) {
    return JsonReply(200, Json{{"name", "mete"},
                               {"version", kVersion},
                               {"extensions", Json::array()}});
  });
  Add("/v2/health/live", "GET", [](const HttpRequest&) {
    return JsonReply(200, Json{{"live", true}});
  });
  Add("/v2/health/ready", "GET", [this](const HttpRequest&) {
    const bool ready = service_.accepting();
    return JsonReply(ready ? 200 : 503, Json{{"ready", ready}});
  });
}

void InferenceRoutes::AddRecords() {
  Add("/flush", "POST", [this](const HttpRequest&) {
    return JsonReply(200, Json{{"uid", service_.request().uid},
                               {"flushed", service_.records().Flush()}});
  });
  routes_["/service-times"]["GET"] = [this](const HttpRequest&,
                                            const HttpResponder& answer) {
    SendTimes(answer);
  };
  Add("/metrics", "GET", [this](const HttpRequest&) {
    HttpReply reply = TextReply(200, InferenceMetricsText(service_));
    reply.response.fields["content-type"] = "text/plain; version=0.0.4";
    return reply;
  });
}

// Writing all of them takes as long as many inferences, so others need not wait
// for more than one.
void InferenceRoutes::SendTimes(const HttpResponder& answer) {
  if (sending_times_.test_and_set()) {
    HttpReply busy = ErrorReply(503, "unavailable",
                                "the times are being sent to another client");
    busy.response.fields["retry-after"] = "1";
    answer(std::move(busy));
    return;
  }
  answer(JsonTextReply(ServiceTimesJson(service_, service_.records().Read())));
  sending_times_.clear();
}

bool InferenceRoutes::IsQuick(const HttpRequest& request) {
  const std::string_view path = SplitTarget(request.target).path;
  return path != "/service-times" && request.Content().size() <= kQuickBody;
}

void InferenceRoutes::Handle(const HttpRequest& request,
                             HttpResponder answer) const {
  const std::string_view path = SplitTarget(request.target).path;
  auto found = routes_.find(path);
  if (found == routes_.end()) {
    answer(ErrorReply(404, "not_found", "no such path: " + std::string(path)));
    return;
  }
  const auto& methods = found->second;
  auto handler =
      methods.find(request.method == "HEAD" ? "GET" : request.method);
  if (handler == methods.end()) {
    HttpReply reply = ErrorReply(
        405, "method_not_allowed",
        fmt::format("{} is not allowed for {}", request.method, path));
    reply.response.fields["allow"] = methods.begin()->first;
    answer(std::move(reply));
    return;
  }
  handler->second(request, std::move(answer));
}

std::vector<std::string> InferenceRoutes::Routes() const {
  std::vector<std::string> routes;
  for (const auto& [path, methods] : routes_) {
    for (const auto& [method, handler] : methods) {
      routes.push_back(fmt::format("{} {}", method, path));
    }
  }
  return routes;
}

void InferenceRoutes::RequestStatic(const HttpRequest& request,
                                    const HttpResponder& answer) const {
  auto batch = ReadBatch(request.Content(), service_.request().batch);
  if (batch.ok()) {
    Status fits =
        CheckServedBatch(service_.inputs(), *batch, service_.largest_batch());
    if (!fits.ok()) batch = fits.error();
  }
  if (!batch.ok()) {
    answer(ErrorReply(batch.error()));
    return;
  }
  Submit(
      GeneratedItems{.batch = *batch},
      [this](const ServedInference& served) {
        return JsonTextReply(ServedJson(service_, served));
      },
      answer);
}

void InferenceRoutes::Infer(const HttpRequest& request,
                            const HttpResponder& answer) const {
  auto parsed = ParseKserveRequest(request.Content());
  if (!parsed.ok()) {
    answer(ErrorReply(AsClientError(parsed.error())));
    return;
  }
  GivenTensors inputs = std::move(parsed->inputs);
  parsed->inputs = {};
  Submit(
      std::move(inputs),
      [this, asked = *std::move(parsed)](const ServedInference& served) {
        auto text =
            WriteKserveReply(service_.request().name, asked, served.outputs);
        if (!text.ok()) return ErrorReply(text.error());
        return JsonTextReply(*std::move(text));
      },
      answer);
}

void InferenceRoutes::Submit(
    InferenceWork work, std::function<HttpReply(const ServedInference&)> make,
    const HttpResponder& answer) const {
  OnServed done = [make = std::move(make),
                   answer](const Result<ServedInference>& served) {
    if (!served.ok()) {
      answer(ErrorReply(served.error()));
      return;
    }
    HttpReply reply = make(*served);
    AddServerTiming(served->record, reply.response.fields);
    answer(std::move(reply));
  };
  Status queued = service_.Submit(std::move(work), std::move(done));
  if (queued.ok()) return;
  HttpReply reply = ErrorReply(queued.error());
  reply.response.fields["retry-after"] =
      std::to_string(service_.RetryAfter().count());
  answer(std::move(reply));
}

HttpReply InferenceRoutes::DescribeNetwork() const {
  Json inputs = Json::array();
  for (const GraphValue& input : service_.inputs())
    inputs.push_back(TensorJson(input));
  return JsonReply(200, Json{{"name", service_.request().name},
                             {"platform", "onnx"},
                             {"versions", Json::array({"1"})},
                             {"inputs", std::move(inputs)}});
}

}  // namespace mete
