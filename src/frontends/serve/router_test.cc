#include "serve/router.h"

#include <gtest/gtest.h>

#include "serve/reply.h"
#include "support/json.h"

namespace mete {
namespace {

Router SomeRoutes() {
  Router router;
  router.Add("GET", "/jobs", [](const RoutedRequest& request) {
    auto state = request.query.find("state");
    return TextReply(
        200, "list " + (state == request.query.end() ? "" : state->second));
  });
  router.Add("POST", "/jobs",
             [](const RoutedRequest&) { return TextReply(201, "made"); });
  router.Add("GET", "/jobs/{id}/logs", [](const RoutedRequest& request) {
    return TextReply(200, "logs of " + request.path.at("id"));
  });
  return router;
}

HttpResponse Ask(const std::string& method, const std::string& target) {
  return SomeRoutes().Route({.method = method, .target = target}).response;
}

TEST(Router, DispatchesByMethodAndPath) {
  EXPECT_EQ(Ask("GET", "/jobs").body, "list ");
  EXPECT_EQ(Ask("POST", "/jobs").body, "made");
  EXPECT_EQ(Ask("GET", "/jobs/?state=queued").body, "list queued");
}

TEST(Router, PartsInBracesAreDecoded) {
  EXPECT_EQ(Ask("GET", "/jobs/a%2Fb/logs").body, "logs of a/b");
}

TEST(Router, AnEmptyPartDoesNotMatchAParameter) {
  EXPECT_EQ(Ask("GET", "/jobs//logs").status, 404);
}

TEST(Router, AnUnknownPathIsNotFound) {
  HttpResponse response = Ask("GET", "/other");
  EXPECT_EQ(response.status, 404);
  EXPECT_EQ(ParseJson(response.body)->at("error").at("code"), "not_found");
  EXPECT_EQ(Ask("GET", "").status, 404);
  EXPECT_EQ(Ask("GET", "*").status, 404);
}

TEST(Router, AWrongMethodGetsTheAllowedOnes) {
  HttpResponse response = Ask("DELETE", "/jobs");
  EXPECT_EQ(response.status, 405);
  EXPECT_EQ(response.fields.at("allow"), "GET, POST");
}

TEST(Router, HeadIsHandledLikeGet) {
  EXPECT_EQ(Ask("HEAD", "/jobs").status, 200);
}

TEST(ErrorReply, ChoosesTheStatusByTheErrorCode) {
  EXPECT_EQ(ErrorReply(NotFound("x")).response.status, 404);
  EXPECT_EQ(ErrorReply(InvalidInput("x")).response.status, 400);
  EXPECT_EQ(ErrorReply(Unavailable("x")).response.status, 503);
}

// A route whose guard wants a password.
Router GuardedRoutes() {
  Router router = SomeRoutes();
  router.Add(
      "POST", "/secret",
      [](const RoutedRequest& request) {
        return TextReply(200, "body " + request.http.body);
      },
      [](const HttpRequest& head) -> std::optional<HttpReply> {
        if (head.fields.contains("authorization")) return std::nullopt;
        return TextReply(401, "who are you?");
      });
  return router;
}

TEST(Router, AGuardRefusesBeforeTheHandler) {
  Router router = GuardedRoutes();
  HttpRequest request{.method = "POST", .target = "/secret", .body = "x"};
  EXPECT_EQ(router.Route(request).response.status, 401);
  request.fields["authorization"] = "me";
  EXPECT_EQ(router.Route(request).response.body, "body x");
}

TEST(Router, RefusesByTheHeadWhatNoBodyCouldChange) {
  Router router = GuardedRoutes();
  HttpRequest head{.method = "POST", .target = "/secret"};
  EXPECT_EQ(router.RefuseHead(head)->response.status, 401);
  head.fields["authorization"] = "me";
  EXPECT_FALSE(router.RefuseHead(head).has_value());
  EXPECT_FALSE(router.RefuseHead({.method = "POST", .target = "/jobs"}));
  EXPECT_EQ(
      router.RefuseHead({.method = "POST", .target = "/x"})->response.status,
      404);
  EXPECT_EQ(
      router.RefuseHead({.method = "PUT", .target = "/jobs"})->response.status,
      405);
}

TEST(Router, WrappersSeeRefusals) {
  Router router = GuardedRoutes();
  int seen = 0;
  router.Wrap([&](const std::string&, RouteHandler inner) -> RouteHandler {
    return [&seen, inner](const RoutedRequest& request) {
      HttpReply reply = inner(request);
      seen = reply.response.status;
      return reply;
    };
  });
  router.RefuseHead({.method = "POST", .target = "/secret"});
  EXPECT_EQ(seen, 401);
}

}  // namespace
}  // namespace mete
