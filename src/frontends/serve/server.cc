#include "serve/server.h"

#include "serve/api.h"
#include "serve/reply.h"

namespace mete {
namespace {

// An upload occupies its thread for a second. Other requests use the rest.
constexpr size_t kHandlerThreads = 4;
// Of requests other than uploads: jobs.
constexpr Bytes kLargestBody = Mebibytes(2);
// Of the parameters of a Jenkins build.
constexpr Bytes kLargestParameters = Kibibytes(64);

// Refuses a client that asks too often. Health checks are cheap, and a server
// that does not answer them is restarted.
std::optional<HttpReply> RefuseFlood(RequestLimiter& limiter,
                                     const HttpRequest& head) {
  if (SplitTarget(head.target).path == "/healthz") return std::nullopt;
  auto wait = limiter.Wait(head.peer);
  if (!wait) return std::nullopt;
  HttpReply reply =
      ErrorReply(429, "too_many_requests",
                 "too many requests from this address; try again later");
  reply.response.fields["retry-after"] = std::to_string(wait->count());
  return reply;
}

}  // namespace

Server::Server(const ServerSettings& settings,
               const ServerDependencies& dependencies)
    : nodes_(dependencies.nodes, settings.nodes, dependencies.queue.clock),
      predictors_(dependencies.read_predictors, dependencies.queue.clock),
      metrics_(dependencies.queue.clock, nodes_),
      router_(MakeApi({.jobs = dependencies.queue.jobs,
                       .clock = dependencies.queue.clock,
                       .device_id = dependencies.queue.device_id,
                       .access = settings.access,
                       .allow_privileged = settings.allow_privileged,
                       .images_only = settings.images_only,
                       .other_user = settings.other_user,
                       .private_paths = settings.private_paths,
                       .entropy = dependencies.draw_entropy},
                      {.jobs = dependencies.queue.jobs,
                       .runs = dependencies.runs,
                       .access = settings.access},
                      {.predictors = [this] { return predictors_.Get(); },
                       .nodes = nodes_,
                       .reader = dependencies.reader,
                       .access = settings.access,
                       .open = settings.open_prediction,
                       .uploads = settings.uploads,
                       .placing = dependencies.placing},
                      metrics_)),
      web_(settings.web),
      limiter_(settings.rate, dependencies.queue.clock) {}

Result<std::unique_ptr<Server>> Server::Start(
    const ServerSettings& settings, const ServerDependencies& dependencies) {
  std::unique_ptr<Server> server(new Server(settings, dependencies));
  HttpServerSettings http{
      .listen = settings.listen,
      .largest_body = kLargestBody,
      .tls = settings.web ? settings.web->tls() : std::nullopt,
      .threads = kHandlerThreads};
  http.quick = [&nodes = server->nodes_](const HttpRequest& request) {
    return IsQuickPrediction(request) && nodes.Answered();
  };
  http.body_limit = [uploads = settings.uploads, otherwise = http.largest_body](
                        std::string_view, std::string_view target) {
    // Its token may be in the body, so anybody may send one.
    if (target.starts_with("/job/")) return kLargestParameters;
    return PredictionBodyLimit(uploads, target).value_or(otherwise);
  };
  http.spool_folder = [uploads = settings.uploads](std::string_view,
                                                   std::string_view target) {
    return UploadSpool(uploads, target);
  };
  http.pace = [&limiter = server->limiter_,
               hosts = KnownHosts(settings.listen, settings.hosts)](
                  const HttpRequest& head) -> std::optional<HttpReply> {
    auto refused = RefuseUnknownHost(hosts, head,
                                     "use localhost, or add it to serve.hosts");
    if (refused) return refused;
    return RefuseFlood(limiter, head);
  };
  http.admit = [&router = server->router_](const HttpRequest& head) {
    return router.RefuseHead(head);
  };
  HttpHandler answer = [&router = server->router_](const HttpRequest& request) {
    return router.Route(request);
  };
  HttpHandler with_headers = [&web = server->web_,
                              answer](const HttpRequest& request) {
    return web->Answer(request, answer);
  };
  ASSIGN_OR_RETURN(
      server->http_,
      HttpServer::Start(http, settings.web ? with_headers : answer));
  return server;
}

Status Server::Predictions() const {
  auto ready = predictors_.Get();
  return ready.ok() ? Status() : ready.error();
}

}  // namespace mete
