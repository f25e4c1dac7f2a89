#include "net/known_hosts.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace mete {
namespace {

TEST(KnownHosts, OnLoopbackAnswersToAddressesAndLocalNames) {
  KnownHosts hosts({.host = "127.0.0.1"}, {});
  for (const char* host :
       {"localhost", "localhost:7001", "LocalHost:7001", "localhost.",
        "mete.localhost", "127.0.0.1", "127.0.0.1:7001", "127.0.0.53", "[::1]",
        "[::1]:7001", "192.168.1.7:80", ""}) {
    EXPECT_TRUE(hosts.Allow(host)) << host;
  }
}

TEST(KnownHosts, OnLoopbackRefusesNamesThatAPageCouldHave) {
  KnownHosts hosts({.host = "::1"}, {});
  for (const char* host :
       {"rebind.example", "rebind.example:7001", "localhost.example",
        "xlocalhost", "127.0.0.1.example", ":7001", ".", "[",
        "[rebind.example]", "rebind.example:127.0.0.1", "localhost@evil",
        "2130706433"}) {
    EXPECT_FALSE(hosts.Allow(host)) << host;
  }
}

TEST(KnownHosts, AnswersToTheNameOfTheMachineAndToConfiguredNames) {
  KnownHosts hosts({.host = "localhost"}, {"Mete.Example"});
  EXPECT_TRUE(hosts.Allow("mete.example:443"));
  EXPECT_FALSE(hosts.Allow("www.mete.example"));
  char name[256] = {};
  ASSERT_EQ(gethostname(name, sizeof name - 1), 0);
  EXPECT_TRUE(hosts.Allow(std::string(name) + ":7001")) << name;
}

// A browser lets any page send forms to any server.
TEST(KnownHosts, OnLoopbackRefusesPagesOfOtherMachines) {
  KnownHosts hosts({.host = "127.0.0.1"}, {"mete.example"});
  for (const char* origin :
       {"http://localhost:3000", "http://127.0.0.1:8000", "https://[::1]",
        "http://mete.example", "http://dev.localhost"}) {
    EXPECT_TRUE(hosts.AllowOrigin(origin)) << origin;
  }
  for (const char* origin :
       {"http://page.example", "http://203.0.113.5", "http://[2001:db8::1]",
        "http://127.0.0.1.example", "null", "", "http://", "localhost",
        "http://localhost.example:3000", "file://"}) {
    EXPECT_FALSE(hosts.AllowOrigin(origin)) << origin;
  }
}

TEST(KnownHosts, ElsewhereAnswersToEveryName) {
  EXPECT_TRUE(KnownHosts({.host = "0.0.0.0"}, {}).Allow("any.example"));
  EXPECT_TRUE(KnownHosts({.host = "10.0.0.1"}, {}).Allow("any.example"));
  EXPECT_TRUE(KnownHosts({.socket = "/run/x"}, {}).Allow("any.example"));
  EXPECT_TRUE(
      KnownHosts({.host = "0.0.0.0"}, {}).AllowOrigin("http://any.example"));
}

TEST(KnownHosts, NothingButAPortFollowsAnAddressInBrackets) {
  const KnownHosts hosts({.host = "127.0.0.1", .port = 80}, {});
  EXPECT_TRUE(hosts.Allow("[::1]"));
  EXPECT_TRUE(hosts.Allow("[::1]:8080"));
  EXPECT_FALSE(hosts.Allow("[::1]evil.example"));
  EXPECT_FALSE(hosts.Allow("[::1].evil.example:80"));
  EXPECT_FALSE(hosts.Allow("[::1"));
  EXPECT_FALSE(hosts.Allow("[localhost.evil.example]"));
  EXPECT_FALSE(hosts.AllowOrigin("http://[::1]evil.example"));
  EXPECT_TRUE(hosts.AllowOrigin("http://[::1]:3000"));
}

TEST(KnownHosts, IgnoresTheCaseOfEveryLetter) {
  const KnownHosts hosts({.host = "127.0.0.1"}, {"AZ.Example"});
  EXPECT_TRUE(hosts.Allow("az.example"));
  EXPECT_TRUE(hosts.Allow("AZ.EXAMPLE:80"));
}

}  // namespace
}  // namespace mete
