#include "linux/find_user.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

TEST(FindUser, FindsAUserByNameAndByNumber) {
  auto root = FindUser("root");
  ASSERT_TRUE(root.ok()) << root.error().message();
  EXPECT_EQ(root->id, 0u);
  EXPECT_EQ(root->name, "root");
  EXPECT_FALSE(root->groups.empty());
  EXPECT_EQ(FindUser("0")->name, "root");
}

TEST(FindUser, ANumberNeedsNoName) {
  auto user = FindUser("3999999999");
  ASSERT_TRUE(user.ok()) << user.error().message();
  EXPECT_EQ(user->id, 3999999999u);
  EXPECT_EQ(user->group, 3999999999u);
}

TEST(FindUser, AnythingElseIsNotFound) {
  for (const char* nobody :
       {"", "no-such-user-here", "-1", "4294967295", "4294967296", "1.5"}) {
    auto user = FindUser(nobody);
    ASSERT_FALSE(user.ok()) << nobody;
    EXPECT_EQ(user.error().code(), ErrorCode::kNotFound);
  }
}

}  // namespace
}  // namespace mete
