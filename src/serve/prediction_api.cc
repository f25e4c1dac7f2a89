#include "serve/prediction_api.h"

#include "serve/prediction_routes.h"
#include "serve/reply.h"

namespace mete {
namespace {

std::optional<HttpReply> RefuseAsking(const PredictionApi& api,
                                      const HttpRequest& request) {
  auto refused = Refuse(api.access, request);
  if (!refused || !api.open) return refused;
  if (!request.fields.contains("origin")) return std::nullopt;
  return ErrorReply(403, "permission_denied",
                    "web pages need the server's token: "
                    "Authorization: Bearer TOKEN");
}

using PredictionHandler = HttpReply (*)(const PredictionContext&,
                                        const HttpRequest&);

RouteHandler Guarded(std::shared_ptr<PredictionContext> context,
                     PredictionHandler handler) {
  return [context = std::move(context),
          handler](const RoutedRequest& request) -> HttpReply {
    if (auto refused = RefuseAsking(context->api, request.http)) {
      return *std::move(refused);
    }
    return handler(*context, request.http);
  };
}

}  // namespace

void AddPredictionRoutes(const PredictionApi& api, Router& router) {
  auto context = std::make_shared<PredictionContext>(api);
  router.Add("POST", "/api/profiling", Guarded(context, &AnswerProfiling));
  router.Add("POST", "/upload", Guarded(context, &AnswerUpload));
  router.Add("POST", "/api/v1/predict", Guarded(context, &AnswerPredict));
}

std::optional<Bytes> PredictionBodyLimit(const UploadRule& uploads,
                                         std::string_view target) {
  std::string_view path = SplitTarget(target).path;
  while (path.ends_with('/')) path.remove_suffix(1);
  if (path == "/api/profiling") return kLargestQuestion;
  // The rest of a form around the file.
  if (path == "/upload" || path == "/api/v1/predict") {
    return Bytes{uploads.largest.count + kLargestQuestion.count};
  }
  return std::nullopt;
}

}  // namespace mete
