// A client of a Kubernetes API server that answers as a test says.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "adapters/kubernetes/api_client.h"
#include "adapters/kubernetes/list_watch.h"
#include "net/http_server.h"
#include "tests/fakes/fake_clock.h"

namespace mete {

struct ApiStage {
  FakeClock clock;
  std::function<std::string(const std::string& target)> body;
  int status = 200;
  int lists = 0;  // requests that are no watches
  std::unique_ptr<HttpServer> server =
      HttpServer::Start({.listen = {.host = "127.0.0.1"}},
                        HttpHandler([this](const HttpRequest& request) {
                          const bool watch =
                              request.target.find("watch=true") !=
                              std::string::npos;
                          if (!watch) ++lists;
                          HttpReply reply;
                          reply.response.body = body(request.target);
                          reply.response.status = status;
                          return reply;
                        }))
          .value();
  ApiClient client{{.server = {.endpoint = server->endpoint(), .path = ""}},
                   clock,
                   {.per_second = 0}};
  Collection pods = MakeCollection(WatchedKind::kPods, {}, "ml");
};

}  // namespace mete
