#include "load/load_url.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

TEST(LoadUrl, KeepsPathAndQuery) {
  struct Case {
    const char* text;
    const char* authority;
    const char* target;
  };
  for (const Case& one :
       {Case{"http://127.0.0.1:8000", "127.0.0.1:8000", "/"},
        Case{"http://host/", "host:80", "/"},
        Case{"http://host/a/b/?x=1&y=%20#part", "host:80", "/a/b/?x=1&y=%20"},
        Case{"http://[::1]:9?q=a/b", "[::1]:9", "/?q=a/b"}}) {
    auto url = ParseLoadUrl(one.text);
    ASSERT_TRUE(url.ok()) << one.text << ": " << url.error().message();
    EXPECT_EQ(url->endpoint.Authority(), one.authority);
    EXPECT_EQ(url->target, one.target);
  }
  EXPECT_EQ(ParseLoadUrl("unix:///run/x.sock")->endpoint.socket, "/run/x.sock");
}

TEST(LoadUrl, RefusesWhatItCannotLoad) {
  EXPECT_EQ(ParseLoadUrl("localhost:80").error().code(),
            ErrorCode::kInvalidInput);
  EXPECT_EQ(ParseLoadUrl("https://host").error().code(),
            ErrorCode::kUnsupported);
  EXPECT_FALSE(ParseLoadUrl("http://").ok());
  EXPECT_FALSE(ParseLoadUrl("http://host:99999/").ok());
  // Otherwise it could end the request line.
  EXPECT_FALSE(ParseLoadUrl("http://host/a HTTP/1.1\r\nx: y").ok());
}

TEST(Rate, ReadsRequestsPerSecondAndPerMinute) {
  EXPECT_DOUBLE_EQ(*ParseRate("200/s"), 200);
  EXPECT_DOUBLE_EQ(*ParseRate("0.5"), 0.5);
  EXPECT_DOUBLE_EQ(*ParseRate("30/m"), 0.5);
  EXPECT_EQ(ParseRate("0/s").error().message(),
            "'0/s': the rate must be positive");
  for (const char* wrong : {"", "x", "-1", "1/h", "nan", "inf", "1 /s"}) {
    EXPECT_FALSE(ParseRate(wrong).ok()) << wrong;
  }
}

}  // namespace
}  // namespace mete
