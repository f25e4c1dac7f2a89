#include "serve/api.h"

#include "serve/jenkins_api.h"
#include "serve/openapi.h"
#include "serve/reply.h"
#include "support/json.h"

namespace mete {
namespace {

void AddHealthRoutes(const JobsApi& jobs, Router& router) {
  router.Add("GET", "/healthz",
             [](const RoutedRequest&) { return TextReply(200, "ok\n"); });
  router.Add("GET", "/readyz", [&store = jobs.jobs](const RoutedRequest&) {
    Status usable = store.CheckUsable();
    return usable.ok()
               ? TextReply(200, "ok\n")
               : ErrorReply(503, "unavailable", usable.error().message());
  });
  router.Add("GET", "/openapi.json", [](const RoutedRequest&) {
    HttpReply reply = TextReply(200, std::string(kOpenApi));
    reply.response.fields["content-type"] = "application/json";
    return reply;
  });
}

}  // namespace

Router MakeApi(const JobsApi& jobs, const RunsApi& runs,
               const PredictionApi& prediction, ServerMetrics& metrics) {
  Router router;
  AddHealthRoutes(jobs, router);
  router.Add("GET", "/metrics", [&metrics](const RoutedRequest&) {
    HttpReply reply = TextReply(200, metrics.Text());
    reply.response.fields["content-type"] =
        "text/plain; version=0.0.4; charset=utf-8";
    return reply;
  });
  AddPredictionRoutes(prediction, router);
  AddJobRoutes(jobs, router);
  AddRunRoutes(runs, router);
  AddJenkinsRoutes(jobs, router);
  metrics.PutAround(router);
  return router;
}

}  // namespace mete
