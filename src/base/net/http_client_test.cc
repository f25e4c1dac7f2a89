#include "net/http_client.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>

#include "tests/fakes/canned_server.h"
#include "tests/fakes/tls_server.h"

namespace mete {
namespace {

using std::chrono::milliseconds;

TEST(HttpClient, SendsTheRequestAndReturnsTheResponse) {
  CannedServer server({.pieces = {"HTTP/1.1 201 Created\r\nX-Kind: Test\r\n"
                                  "Content-Length: 5\r\n\r\nhello"}});
  auto response = HttpClient(server.endpoint())
                      .Send({.method = "POST",
                             .target = "/things?x=1",
                             .fields = {{"content-type", "text/plain"}},
                             .body = "body"});
  ASSERT_TRUE(response.ok()) << response.error().message();
  EXPECT_EQ(response->status, 201);
  EXPECT_EQ(response->body, "hello");
  EXPECT_EQ(response->fields.at("x-kind"), "Test");
  std::string seen = server.last_request();
  EXPECT_TRUE(seen.starts_with("POST /things?x=1 HTTP/1.1\r\n")) << seen;
  EXPECT_NE(seen.find("Host: localhost\r\n"), std::string::npos) << seen;
  EXPECT_NE(seen.find("content-type: text/plain\r\n"), std::string::npos);
  EXPECT_NE(seen.find("Content-Length: 4\r\n"), std::string::npos) << seen;
  EXPECT_TRUE(seen.ends_with("\r\n\r\nbody")) << seen;
}

TEST(HttpClient, JoinsChunks) {
  CannedServer server(
      {.pieces = {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r",
                  "\nabc\r\n2\r\nde", "\r\n0\r\n\r\n"}});
  EXPECT_EQ(HttpClient(server.endpoint()).Send({})->body, "abcde");
}

TEST(HttpClient, ABodyWithoutLengthEndsWithTheConnection) {
  CannedServer server({.pieces = {"HTTP/1.1 200 OK\r\n\r\nfirst ", "second"}});
  EXPECT_EQ(HttpClient(server.endpoint()).Send({})->body, "first second");
}

TEST(HttpClient, PassesOnPiecesAsTheyArrive) {
  CannedServer server({.pieces = {"HTTP/1.1 200 OK\r\n\r\none"}, .hang = true});
  std::string seen;
  auto ended =
      HttpClient(server.endpoint()).Stream({}, [&](std::string_view piece) {
        seen += piece;
        return false;  // enough
      });
  ASSERT_TRUE(ended.ok()) << ended.error().message();
  EXPECT_EQ(seen, "one");
}

TEST(HttpClient, DoesNotPassOnTheBodyOfAnError) {
  CannedServer server({.pieces = {"HTTP/1.1 404 Not Found\r\n"
                                  "Content-Length: 4\r\n\r\ngone"}});
  bool called = false;
  auto response =
      HttpClient(server.endpoint()).Stream({}, [&](std::string_view) {
        called = true;
        return true;
      });
  EXPECT_EQ(response->status, 404);
  EXPECT_EQ(response->body, "gone");
  EXPECT_FALSE(called);
}

TEST(HttpClient, AMissingSocketIsUnavailable) {
  auto response = HttpClient({.socket = "/nowhere/x.sock"}).Send({});
  EXPECT_EQ(response.error().code(), ErrorCode::kUnavailable);
  EXPECT_EQ(response.error().message(),
            "connect unix:///nowhere/x.sock: no such file or directory");
}

TEST(HttpClient, AHostThatDoesNotExistIsUnavailable) {
  // No resolver has to be asked about a name with an empty label.
  auto response = HttpClient({.host = "no..host", .port = 1}).Send({});
  EXPECT_EQ(response.error().code(), ErrorCode::kUnavailable);
  EXPECT_EQ(response.error().message(),
            "connect tcp://no..host:1: host not found (authoritative)");
}

TEST(HttpClient, ConnectsWithoutSendingAnything) {
  CannedServer server({.pieces = {}, .hang = true});
  Status connected = HttpClient(server.endpoint()).Connect();
  EXPECT_TRUE(connected.ok()) << connected.error().message();
  EXPECT_EQ(server.last_request(), "");
}

TEST(HttpClient, DoesNotConnectToAMissingSocket) {
  Status connected = HttpClient({.socket = "/nowhere/x.sock"}).Connect();
  EXPECT_EQ(connected.error().code(), ErrorCode::kUnavailable);
}

TEST(HttpClient, GivesUpOnASilentServer) {
  CannedServer server({.pieces = {}, .hang = true});
  auto response =
      HttpClient(server.endpoint()).Send({}, {.silence = milliseconds(50)});
  EXPECT_EQ(response.error().code(), ErrorCode::kTimeout);
}

TEST(HttpClient, StopEndsTheWait) {
  CannedServer server({.pieces = {"HTTP/1.1 200 OK\r\n\r\n"}, .hang = true});
  std::stop_source stop;
  std::jthread stopper([&] {
    std::this_thread::sleep_for(milliseconds(50));
    stop.request_stop();
  });
  auto response = HttpClient(server.endpoint())
                      .Send({}, {.silence = std::nullopt}, stop.get_token());
  EXPECT_EQ(response.error().code(), ErrorCode::kInterrupted);
}

TEST(HttpClient, SendsNothingAfterAStop) {
  CannedServer server({.pieces = {"HTTP/1.1 200 OK\r\n\r\n"}, .hang = true});
  std::stop_source stop;
  stop.request_stop();
  auto response = HttpClient(server.endpoint())
                      .Send({}, {.silence = std::nullopt}, stop.get_token());
  EXPECT_EQ(response.error().code(), ErrorCode::kInterrupted);
  EXPECT_EQ(server.last_request(), "");
}

TEST(HttpClient, WhatIsNotHttpIsCorrupt) {
  CannedServer server({.pieces = {"SSH-2.0-OpenSSH\r\n\r\n"}});
  auto response = HttpClient(server.endpoint()).Send({});
  EXPECT_EQ(response.error().code(), ErrorCode::kCorrupt);
}

// What belongs to no body does not count for its limit.
TEST(HttpClient, GivesUpOnAChunkHeaderOrTrailerWithoutEnd) {
  for (const char* begin : {"5;a=", "0\r\nA: "}) {
    CannedServer server(
        {.pieces = {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
                    begin, std::string(1u << 20, 'x')},
         .hang = true});
    auto response = HttpClient(server.endpoint())
                        .Send({}, {.silence = std::chrono::seconds(2)});
    ASSERT_FALSE(response.ok());
    EXPECT_EQ(response.error().code(), ErrorCode::kCorrupt) << begin;
  }
}

TEST(HttpClient, FailsOnATruncatedResponse) {
  CannedServer server(
      {.pieces = {"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort"}});
  EXPECT_FALSE(HttpClient(server.endpoint()).Send({}).ok());
}

TEST(HttpClient, LimitsTheTotalTimeOfATricklingResponse) {
  std::vector<std::string> pieces = {"HTTP/1.1 200 OK\r\n\r\n"};
  for (int i = 0; i < 1000; ++i) pieces.emplace_back("x");
  CannedServer server({.pieces = pieces, .hang = true});
  auto response = HttpClient(server.endpoint())
                      .Send({}, {.silence = std::chrono::seconds(10),
                                 .whole = milliseconds(100)});
  EXPECT_EQ(response.error().code(), ErrorCode::kTimeout);
}

constexpr const char* kHello =
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

TEST(HttpClient, ConnectsOverTlsToAVerifiedServer) {
  TlsServer server("IP:127.0.0.1", kHello);
  auto response =
      HttpClient(server.endpoint(), {.ca_file = server.certificate_file()})
          .Send({});
  ASSERT_TRUE(response.ok()) << response.error().message();
  EXPECT_EQ(response->body, "hello");
}

TEST(HttpClient, RejectsAnUntrustedCertificate) {
  TlsServer server("IP:127.0.0.1", kHello);
  auto response = HttpClient(server.endpoint()).Send({});
  EXPECT_EQ(response.error().code(), ErrorCode::kPermissionDenied);
}

TEST(HttpClient, RejectsACertificateForAnotherName) {
  TlsServer server("DNS:other.example", kHello);
  auto response =
      HttpClient(server.endpoint(), {.ca_file = server.certificate_file()})
          .Send({});
  EXPECT_EQ(response.error().code(), ErrorCode::kPermissionDenied);
}

TEST(HttpClient, FailsOverTlsWithAPlainServer) {
  CannedServer server({.pieces = {kHello}});
  Endpoint endpoint = server.endpoint();
  endpoint.tls = true;
  EXPECT_FALSE(HttpClient(endpoint).Send({}).ok());
}

}  // namespace
}  // namespace mete
