#include "serve/access.h"

#include <gtest/gtest.h>

#include "support/file.h"

namespace mete {
namespace {

HttpRequest With(const std::string& authorization) {
  return {.fields = {{"authorization", authorization}}};
}

TEST(Access, WithoutATokenEverybodyHasAccess) {
  EXPECT_FALSE(Refuse({}, Role::kAdmin, {}).has_value());
  EXPECT_EQ(RoleOf({}, {}), Role::kAdmin);
}

TEST(Access, RequiresTheToken) {
  AccessRule rule{.tokens = {{Role::kAdmin, "secret"}}};
  EXPECT_FALSE(Refuse(rule, Role::kRead, With("Bearer secret")).has_value());
  for (const char* wrong : {"", "Bearer ", "Bearer secre", "Bearer secret2",
                            "Basic !!", "Basic", "secret"}) {
    auto refused = Refuse(rule, Role::kRead, With(wrong));
    ASSERT_TRUE(refused.has_value()) << wrong;
    EXPECT_EQ(refused->response.status, 401);
  }
  EXPECT_TRUE(Refuse(rule, Role::kRead, {}).has_value());
}

TEST(Access, AcceptsTheTokenAsAPassword) {
  // user:secret
  AccessRule rule{.tokens = {{Role::kRead, "secret"}}};
  EXPECT_EQ(RoleOf(rule, With("Basic dXNlcjpzZWNyZXQ=")), Role::kRead);
}

TEST(Access, ASmallerRoleIsForbiddenAndALargerOneIncludesIt) {
  AccessRule rule{.tokens = {{Role::kRead, "r"},
                             {Role::kSubmit, "s"},
                             {Role::kAdmin, "a"}}};
  const Role roles[] = {Role::kRead, Role::kSubmit, Role::kAdmin};
  const char* senders[] = {"Bearer r", "Bearer s", "Bearer a"};
  for (int needed = 0; needed < 3; ++needed) {
    for (int sender = 0; sender < 3; ++sender) {
      auto refused = Refuse(rule, roles[needed], With(senders[sender]));
      EXPECT_EQ(refused.has_value(), sender < needed);
      if (refused) {
        EXPECT_EQ(refused->response.status, 403);
      }
    }
    EXPECT_EQ(Refuse(rule, roles[needed], With("Bearer x"))->response.status,
              401);
  }
}

TEST(Access, ATokenWithTwoRolesHasTheLargerOne) {
  AccessRule rule{.tokens = {{Role::kAdmin, "t"}, {Role::kRead, "t"}}};
  EXPECT_EQ(RoleOf(rule, With("Bearer t")), Role::kAdmin);
}

// The table of the reference has a line for each role: | `read` | requests |
TEST(Access, TheReferenceListsEveryRouteWithItsRole) {
  const auto text = ReadFile(METE_REFERENCE "/http.md");
  ASSERT_TRUE(text.ok());
  for (std::string_view route : RoutesWithRoles()) {
    const std::string start =
        "\n| `" + std::string(ToString(RoleFor(route))) + "` |";
    const size_t line = text->find(start);
    ASSERT_NE(line, std::string::npos) << start;
    const std::string requests =
        text->substr(line, text->find('\n', line + 1) - line);
    EXPECT_NE(requests.find("`" + std::string(route) + "`"), std::string::npos)
        << route << " is not in" << requests;
  }
}

}  // namespace
}  // namespace mete
