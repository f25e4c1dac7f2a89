#include "serve/prediction_api.h"

#include "serve/prediction_routes.h"
#include "serve/reply.h"

namespace mete {
namespace {

constexpr std::string_view kProfiling = "/api/profiling";
// A request with counts and a device has a few hundred bytes. Larger ones take
// long to parse.
constexpr Bytes kUsualQuestion = Kibibytes(16);

// "/a/" is the same as "/a".
std::string_view StripSlash(std::string_view target) {
  std::string_view path = SplitTarget(target).path;
  while (path.ends_with('/')) path.remove_suffix(1);
  return path;
}

std::optional<HttpReply> RefuseAsking(const PredictionApi& api,
                                      const HttpRequest& request) {
  if (api.open && !request.fields.contains("origin")) return std::nullopt;
  auto refused = Refuse(api.access, request);
  if (!refused || !api.open) return refused;
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
  router.Add("POST", kProfiling, Guarded(context, &AnswerProfiling));
  router.Add("POST", "/upload", Guarded(context, &AnswerUpload));
  router.Add("POST", "/api/v1/predict", Guarded(context, &AnswerPredict));
}

std::optional<Bytes> PredictionBodyLimit(const UploadRule& uploads,
                                         std::string_view target) {
  std::string_view path = StripSlash(target);
  if (path == kProfiling) return kLargestQuestion;
  // The form needs some bytes besides the file.
  if (path == "/upload" || path == "/api/v1/predict") {
    return Bytes{uploads.largest.count + kLargestQuestion.count};
  }
  return std::nullopt;
}

bool IsQuickPrediction(const HttpRequest& request) {
  return request.body.size() <= kUsualQuestion.count &&
         StripSlash(request.target) == kProfiling;
}

}  // namespace mete
