#include "serve/prediction_api.h"

#include "serve/prediction_routes.h"
#include "serve/reply.h"

namespace mete {
namespace {

constexpr std::string_view kProfiling = "/api/profiling";
constexpr std::string_view kUpload = "/upload";
constexpr std::string_view kPredict = "/api/v1/predict";
constexpr std::string_view kPlace = "/api/v1/place";
// A request with counts and a device has a few hundred bytes. Larger ones take
// long to parse.
constexpr Bytes kUsualQuestion = Kibibytes(16);

// "/a/" is the same as "/a".
std::string_view StripSlash(std::string_view target) {
  std::string_view path = SplitTarget(target).path;
  while (path.ends_with('/')) path.remove_suffix(1);
  return path;
}

std::optional<HttpReply> RefuseAsking(const PredictionApi& api, Role needed,
                                      const HttpRequest& request) {
  if (api.open && !request.fields.contains("origin")) return std::nullopt;
  auto refused = Refuse(api.access, needed, request);
  if (!refused || !api.open) return refused;
  return ErrorReply(403, "permission_denied",
                    "web pages need the server's token: "
                    "Authorization: Bearer TOKEN");
}

using PredictionHandler = HttpReply (*)(const PredictionContext&,
                                        const HttpRequest&);

// These start and end programs, so a token is always required.
void AddPlaceRoutes(std::shared_ptr<PredictionContext> context,
                    Router& router) {
  const AccessRule& access = context->api.access;
  router.Add(
      "POST", kPlace,
      [context](const RoutedRequest& request) {
        return AnswerPlace(*context, request.http);
      },
      GuardFor("POST /api/v1/place", access));
  router.Add(
      "GET", kPlace,
      [context](const RoutedRequest&) { return AnswerPlaceList(*context); },
      GuardFor("GET /api/v1/place", access));
  router.Add(
      "DELETE", "/api/v1/place/{id}",
      [context](const RoutedRequest& request) {
        return AnswerPlaceStop(*context, request.path.at("id"));
      },
      GuardFor("DELETE /api/v1/place/{id}", access));
}

}  // namespace

void AddPredictionRoutes(const PredictionApi& api, Router& router) {
  auto context = std::make_shared<PredictionContext>(api);
  auto add = [&](std::string_view path, PredictionHandler handler) {
    router.Add(
        "POST", path,
        [context, handler](const RoutedRequest& request) {
          return handler(*context, request.http);
        },
        [api, needed = RoleFor("POST " + std::string(path))](
            const HttpRequest& head) {
          return RefuseAsking(api, needed, head);
        });
  };
  add(kProfiling, &AnswerProfiling);
  add(kUpload, &AnswerUpload);
  add(kPredict, &AnswerPredict);
  AddPlaceRoutes(context, router);
}

std::optional<Bytes> PredictionBodyLimit(const UploadRule& uploads,
                                         std::string_view target) {
  std::string_view path = StripSlash(target);
  if (path == kProfiling) return kLargestQuestion;
  // The form needs some bytes besides the file.
  if (path == kUpload || path == kPredict || path == kPlace) {
    return Bytes{uploads.largest.count + kLargestQuestion.count};
  }
  return std::nullopt;
}

std::filesystem::path UploadSpool(const UploadRule& uploads,
                                  std::string_view target) {
  std::string_view path = StripSlash(target);
  const bool large = path == kUpload || path == kPredict || path == kPlace;
  return large ? uploads.folder : std::filesystem::path();
}

bool IsQuickPrediction(const HttpRequest& request) {
  return request.body.size() <= kUsualQuestion.count &&
         StripSlash(request.target) == kProfiling;
}

}  // namespace mete
