#include "net/endpoint.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

TEST(Endpoint, ASocketIsNamedByItsPath) {
  auto endpoint = ParseEndpoint("unix:///run/docker.sock");
  ASSERT_TRUE(endpoint.ok());
  EXPECT_TRUE(endpoint->local());
  EXPECT_EQ(endpoint->socket, "/run/docker.sock");
  EXPECT_EQ(endpoint->Authority(), "localhost");
  EXPECT_EQ(endpoint->Text(), "unix:///run/docker.sock");
}

TEST(Endpoint, ParsesHostAndPort) {
  auto endpoint = ParseEndpoint("tcp://127.0.0.1:2375");
  ASSERT_TRUE(endpoint.ok());
  EXPECT_FALSE(endpoint->local());
  EXPECT_EQ(endpoint->host, "127.0.0.1");
  EXPECT_EQ(endpoint->port, 2375);
}

TEST(Endpoint, ParsesAnIpv6AddressInBrackets) {
  auto endpoint = ParseEndpoint("http://[::1]:9090/");
  ASSERT_TRUE(endpoint.ok());
  EXPECT_EQ(endpoint->host, "::1");
  EXPECT_EQ(endpoint->Authority(), "[::1]:9090");
}

TEST(Endpoint, UsesTheDefaultPortOfHttp) {
  EXPECT_EQ(ParseEndpoint("http://example")->port, 80);
}

TEST(Endpoint, UsesTlsAndTheDefaultPortForHttps) {
  auto endpoint = ParseEndpoint("https://metrics.example/");
  ASSERT_TRUE(endpoint.ok());
  EXPECT_TRUE(endpoint->tls);
  EXPECT_EQ(endpoint->Text(), "https://metrics.example:443");
}

TEST(Endpoint, AUrlMayHaveAPath) {
  auto url = ParseUrl("http://thanos:10902/select/0/");
  ASSERT_TRUE(url.ok());
  EXPECT_EQ(url->endpoint.port, 10902);
  EXPECT_EQ(url->path, "/select/0");
  EXPECT_EQ(ParseUrl("https://host")->path, "");
  EXPECT_FALSE(ParseUrl("host:9090").ok());
}

TEST(Endpoint, RecognizesLoopbackAddresses) {
  for (const char* here : {"localhost", "127.0.0.1", "127.1.2.3", "::1"}) {
    EXPECT_TRUE(Endpoint{.host = here}.loopback()) << here;
  }
  for (const char* away :
       {"127.evil.example", "localhost.evil.example", "10.0.0.1", "::", ""}) {
    EXPECT_FALSE(Endpoint{.host = away}.loopback()) << away;
  }
}

TEST(Endpoint, RejectsInvalidAddresses) {
  for (const char* text :
       {"", "docker.sock", "unix://relative", "tcp://", "tcp://host:0",
        "tcp://host:70000", "tcp://host:12x", "tcp://[::1", "http://h/path"}) {
    EXPECT_EQ(ParseEndpoint(text).error().code(), ErrorCode::kInvalidInput)
        << text;
  }
}

TEST(Endpoint, ListeningNeedsAnAddressWithAPortOrASocket) {
  EXPECT_TRUE(ParseListen("127.0.0.1:7001").ok());
  EXPECT_TRUE(ParseListen("unix:///run/mete.sock").ok());
  EXPECT_EQ(ParseListen("foo").error().message(),
            "'foo' is not an address; write it like 127.0.0.1:PORT (1 to "
            "65535) or unix:///run/mete.sock");
}

TEST(Endpoint, ListensOnAnyPortIfItIsZero) {
  EXPECT_EQ(ParseListenOnAnyPort("127.0.0.1:0")->port, 0);
  EXPECT_EQ(ParseListenOnAnyPort("[::1]:0")->host, "::1");
  EXPECT_EQ(ParseListenOnAnyPort("127.0.0.1:7010")->port, 7010);
  EXPECT_TRUE(ParseListenOnAnyPort("unix:///run/m:0")->local());
  EXPECT_FALSE(ParseListenOnAnyPort("127.0.0.1").ok());
  EXPECT_EQ(ParseListenOnAnyPort(":0").error().message(),
            ParseListen(":0").error().message());
}

TEST(Endpoint, NamesAnUnsupportedScheme) {
  auto endpoint = ParseEndpoint("ssh://me@host");
  EXPECT_EQ(endpoint.error().code(), ErrorCode::kUnsupported);
  EXPECT_EQ(endpoint.error().message(),
            "'ssh://me@host': ssh:// is not supported");
}

TEST(Endpoint, OnlyAPortMayFollowAnAddressInBrackets) {
  EXPECT_EQ(ParseEndpoint("tcp://[::1]:80")->port, 80);
  EXPECT_EQ(ParseEndpoint("tcp://[::1]")->port, 80);
  for (const char* text :
       {"tcp://[::1]x80", "tcp://[::1]80", "tcp://[]:80", "tcp://:80"}) {
    EXPECT_EQ(ParseEndpoint(text).error().code(), ErrorCode::kInvalidInput)
        << text;
  }
}

TEST(Endpoint, PortsAreBetween1And65535) {
  EXPECT_EQ(ParseEndpoint("tcp://host:1")->port, 1);
  EXPECT_EQ(ParseEndpoint("tcp://host:65535")->port, 65535);
  EXPECT_FALSE(ParseEndpoint("tcp://host:65536").ok());
  EXPECT_FALSE(ParseEndpoint("tcp://host:").ok());
}

TEST(Endpoint, OnlyALoopbackNetworkIsLoopback) {
  for (const char* away : {"126.255.255.255", "128.0.0.1", "::2", "1::1"}) {
    EXPECT_FALSE(Endpoint{.host = away}.loopback()) << away;
  }
}

TEST(Endpoint, AUrlKeepsItsPathWithoutTheLastSlashes) {
  EXPECT_EQ(ParseUrl("http://host//")->path, "");
  EXPECT_EQ(ParseUrl("http://host/a//")->path, "/a");
  EXPECT_EQ(ParseUrl("http://host/a")->endpoint.host, "host");
}

}  // namespace
}  // namespace mete
