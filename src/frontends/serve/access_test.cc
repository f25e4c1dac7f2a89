#include "serve/access.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

HttpRequest With(const std::string& authorization) {
  return {.fields = {{"authorization", authorization}}};
}

TEST(Access, WithoutATokenEverybodyHasAccess) {
  EXPECT_FALSE(Refuse({}, {}).has_value());
}

TEST(Access, RequiresTheToken) {
  AccessRule rule{.token = "secret"};
  EXPECT_FALSE(Refuse(rule, With("Bearer secret")).has_value());
  for (const char* wrong : {"", "Bearer ", "Bearer secre", "Bearer secret2",
                            "Basic !!", "Basic", "secret"}) {
    auto refused = Refuse(rule, With(wrong));
    ASSERT_TRUE(refused.has_value()) << wrong;
    EXPECT_EQ(refused->response.status, 401);
  }
  EXPECT_TRUE(Refuse(rule, {}).has_value());
}

TEST(Access, AcceptsTheTokenAsAPassword) {
  // user:secret
  EXPECT_FALSE(
      Refuse({.token = "secret"}, With("Basic dXNlcjpzZWNyZXQ=")).has_value());
}

}  // namespace
}  // namespace mete
