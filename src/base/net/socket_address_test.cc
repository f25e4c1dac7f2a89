#include "net/socket_address.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>

#include "net/http_server.h"
#include "support/file.h"

namespace mete {
namespace {

Descriptor ConnectTo(const Endpoint& endpoint) {
  auto found = FindAddresses(endpoint);
  CHECK(found.ok()) << found.error().message();
  auto started = StartConnecting(found->front(), "connect");
  CHECK(started.ok()) << started.error().message();
  pollfd waiting{.fd = started->number(), .events = POLLOUT, .revents = 0};
  CHECK(poll(&waiting, 1, 20'000) == 1);
  return *std::move(started);
}

std::unique_ptr<HttpServer> ServeAt(const Endpoint& endpoint) {
  auto server = HttpServer::Start(
      {.listen = endpoint}, [](const HttpRequest&) { return HttpReply{}; });
  CHECK(server.ok()) << server.error().message();
  return *std::move(server);
}

TEST(StartConnecting, SendsSmallWritesAtOnce) {
  auto server = ServeAt({.host = "127.0.0.1"});
  const Descriptor socket = ConnectTo(server->endpoint());
  EXPECT_EQ(ConnectError(socket), 0);
  int on = 0;
  socklen_t size = sizeof on;
  ASSERT_EQ(getsockopt(socket.number(), IPPROTO_TCP, TCP_NODELAY, &on, &size),
            0);
  EXPECT_NE(on, 0);
}

TEST(StartConnecting, ReportsAPortThatNobodyListensTo) {
  auto server = ServeAt({.host = "127.0.0.1"});
  const Endpoint endpoint = server->endpoint();
  server.reset();
  EXPECT_EQ(ConnectError(ConnectTo(endpoint)), ECONNREFUSED);
}

TEST(StartConnecting, ConnectsToASocketFile) {
  ScratchFolder folder = *ScratchFolder::Create();
  auto server = ServeAt({.socket = (folder.path() / "s").string()});
  EXPECT_EQ(ConnectError(ConnectTo(server->endpoint())), 0);
}

TEST(FindAddresses, SocketPathsAreLimited) {
  EXPECT_TRUE(
      FindAddresses({.socket = "/" + std::string(kLongestSocketPath - 1, 'x')})
          .ok());
  EXPECT_EQ(
      FindAddresses({.socket = "/" + std::string(kLongestSocketPath, 'x')})
          .error()
          .code(),
      ErrorCode::kInvalidInput);
}

}  // namespace
}  // namespace mete
