#include "serve/access.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

const Endpoint kHere{.host = "127.0.0.1", .port = 7001};
const Endpoint kEverywhere{.host = "0.0.0.0", .port = 7001};

HttpRequest With(HttpFields fields) {
  fields.try_emplace("host", "localhost:7001");
  return {.fields = std::move(fields)};
}

TEST(Access, ProgramsOfThisMachineMayAct) {
  EXPECT_FALSE(RefuseAct({.listen = kHere}, With({})).has_value());
  EXPECT_FALSE(RefuseAct({.listen = {.socket = "/run/mete.sock"}}, With({})));
}

TEST(Access, OthersMayLookButNotActWithoutAToken) {
  EXPECT_FALSE(RefuseLook({.listen = kEverywhere}, With({})).has_value());
  auto refused = RefuseAct({.listen = kEverywhere}, With({}));
  ASSERT_TRUE(refused.has_value());
  EXPECT_EQ(refused->response.status, 403);
}

TEST(Access, WebPagesMayNotAct) {
  EXPECT_TRUE(RefuseAct({.listen = kHere}, With({{"origin", "http://x"}})));
  EXPECT_TRUE(RefuseAct({.listen = kHere}, With({{"host", "evil.example"}})));
}

TEST(Access, ATokenOpensEverythingAndItsLackNothing) {
  AccessRule rule{.token = "secret", .listen = kEverywhere};
  HttpRequest right = With({{"authorization", "Bearer secret"}});
  EXPECT_FALSE(RefuseLook(rule, right).has_value());
  EXPECT_FALSE(RefuseAct(rule, right).has_value());
  for (const char* wrong :
       {"Bearer secre", "Bearer secret2", "Basic !!", "Basic", "secret"}) {
    auto refused = RefuseLook(rule, With({{"authorization", wrong}}));
    ASSERT_TRUE(refused.has_value()) << wrong;
    EXPECT_EQ(refused->response.status, 401);
  }
  EXPECT_TRUE(RefuseAct(rule, With({})).has_value());
}

TEST(Access, TheTokenMayComeAsAPassword) {
  AccessRule rule{.token = "secret", .listen = kEverywhere};
  // user:secret
  EXPECT_FALSE(
      RefuseAct(rule, With({{"authorization", "Basic dXNlcjpzZWNyZXQ="}})));
}

}  // namespace
}  // namespace mete
