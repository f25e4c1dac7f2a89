#include "net/url_login.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mete {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(SplitLogin, ExtractsNameAndPassword) {
  auto split = SplitLogin("https://me:hush@host:5001/metrics");
  ASSERT_TRUE(split.ok());
  EXPECT_EQ(split->url, "https://host:5001/metrics");
  EXPECT_EQ(split->name, "me");
  EXPECT_EQ(split->password, "hush");
  EXPECT_EQ(split->Fields().at("authorization"), "Basic bWU6aHVzaA==");
}

TEST(SplitLogin, KeepsUrlsWithoutCredentials) {
  for (const char* text : {"http://host/a@b:c", "unix:///run/a@b.sock", "here",
                           "http://[::1]:1"}) {
    auto split = SplitLogin(text);
    ASSERT_TRUE(split.ok()) << text;
    EXPECT_EQ(split->url, text);
    EXPECT_TRUE(split->Fields().empty());
  }
}

TEST(SplitLogin, PasswordsMayContainAnything) {
  auto split = SplitLogin("http://me:a@b%2fc%25:d@host");
  ASSERT_TRUE(split.ok());
  EXPECT_EQ(split->url, "http://host");
  EXPECT_EQ(split->password, "a@b/c%:d");
}

TEST(SplitLogin, DoesNotRepeatRejectedCredentials) {
  for (const char* text : {"http://hush@host", "http://me:hush%zz@host"}) {
    auto split = SplitLogin(text);
    ASSERT_FALSE(split.ok()) << text;
    EXPECT_THAT(split.error().message(), Not(HasSubstr("hush")));
  }
}

TEST(RedactUrl, LeavesOutWhatMayBeSecret) {
  EXPECT_EQ(RedactUrl("https://me:hush@host/a?token=hush"), "https://host/a");
  EXPECT_EQ(RedactUrl("http://host:80/a"), "http://host:80/a");
  EXPECT_EQ(RedactUrl("http://me:%zz@host").find("%zz"), std::string::npos);
  EXPECT_EQ(RedactUrl("https://chat.example/services/T01/hush"),
            "https://chat.example/services/...");
  EXPECT_EQ(RedactUrl("http://host:80/a/"), "http://host:80/a/");
  EXPECT_EQ(RedactUrl("http://host#hush"), "http://host");
  EXPECT_EQ(RedactUrl("unix:///run/mete/hook.sock"),
            "unix:///run/mete/hook.sock");
}

}  // namespace
}  // namespace mete
