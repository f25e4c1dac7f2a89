#include "inference/inference_server.h"

#include "serve/reply.h"

namespace mete {
namespace {

// Connections beyond those whose requests wait: idle clients, scrapes.
constexpr size_t kSpareConnections = 256;
// Some 40 pictures of 3x224x224 as JSON numbers. Parsing takes several times
// as much memory.
constexpr Bytes kLargestInference = Mebibytes(64);
constexpr Bytes kMostInferences = Mebibytes(256);
constexpr Bytes kLargestControl = Kibibytes(64);

// Refuses web pages of other machines: they may send forms anywhere.
std::optional<HttpReply> RefusePage(const KnownHosts& hosts,
                                    const HttpRequest& head) {
  auto origin = head.fields.find("origin");
  if (origin == head.fields.end() || hosts.AllowOrigin(origin->second)) {
    return std::nullopt;
  }
  return ErrorReply(403, "unknown_origin",
                    "this service answers to no web pages of other machines");
}

}  // namespace

Result<std::unique_ptr<InferenceServer>> InferenceServer::Start(
    const Endpoint& listen, InferenceService& service) {
  std::unique_ptr<InferenceServer> server(new InferenceServer(service));
  HttpServerSettings settings{.listen = listen};
  settings.body_limit = [](std::string_view, std::string_view target) {
    return SplitTarget(target).path.ends_with("/infer") ? kLargestInference
                                                        : kLargestControl;
  };
  settings.most_body_bytes = kMostInferences;
  settings.pace = [hosts = KnownHosts(listen, {})](const HttpRequest& head) {
    auto refused = RefuseUnknownHost(hosts, head, "use localhost");
    return refused ? refused : RefusePage(hosts, head);
  };
  settings.quick = &InferenceRoutes::IsQuick;
  settings.most_connections =
      service.request().queue + service.request().workers + kSpareConnections;
  HttpLaterHandler handler = [&routes = server->routes_](
                                 const HttpRequest& request,
                                 HttpResponder answer) {
    routes.Handle(request, std::move(answer));
  };
  ASSIGN_OR_RETURN(server->http_,
                   HttpServer::Start(std::move(settings), std::move(handler)));
  return server;
}

bool InferenceServer::Drain(std::chrono::milliseconds at_most) {
  service_.Close();
  return http_->Drain(at_most);
}

}  // namespace mete
