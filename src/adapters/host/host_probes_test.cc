#include "adapters/host/host_probes.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <thread>

#include "support/file.h"

namespace mete {
namespace {

// Listens on a Unix socket and on a loopback port; answers one client with a
// given text, or lets clients wait.
class Listener {
 public:
  explicit Listener(const std::filesystem::path& path)
      : socket_(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.native().copy(address.sun_path, sizeof(address.sun_path) - 1);
    CHECK(bind(socket_, reinterpret_cast<sockaddr*>(&address),
               sizeof(address)) == 0);
    CHECK(listen(socket_, 4) == 0);
  }
  Listener() : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof(address);
    auto* any = reinterpret_cast<sockaddr*>(&address);
    CHECK(bind(socket_, any, length) == 0);
    CHECK(listen(socket_, 4) == 0);
    CHECK(getsockname(socket_, any, &length) == 0);
    port_ = ntohs(address.sin_port);
  }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener() {
    shutdown(socket_, SHUT_RDWR);  // wakes up a thread without a client
    if (thread_.joinable()) thread_.join();
    close(socket_);
  }

  void AnswerOnce(std::string answer) {
    thread_ = std::jthread([this, answer = std::move(answer)] {
      int caller = accept(socket_, nullptr, nullptr);
      std::array<char, 1024> buffer;
      ssize_t got = read(caller, buffer.data(), buffer.size());
      asked_.assign(buffer.data(), static_cast<size_t>(got < 0 ? 0 : got));
      CHECK(write(caller, answer.data(), answer.size()) >= 0);
      close(caller);
    });
  }
  // What the client sent; waits for it.
  std::string Asked() {
    thread_.join();
    return asked_;
  }
  uint16_t port() const { return port_; }

 private:
  int socket_;
  uint16_t port_ = 0;
  std::string asked_;
  std::jthread thread_;
};

Result<NvidiaAnswer> NoNvidia() { return NotFound("none"); }

class HostProbesTest : public testing::Test {
 protected:
  ScratchFolder folder = *ScratchFolder::Create();
  std::filesystem::path path = folder.path() / "s";
  // A busy machine may take long to start the answering thread.
  HostProbes probes{NoNvidia, std::chrono::seconds(30)};
};

TEST_F(HostProbesTest, SendsRequestsOverAUnixSocket) {
  Listener listener(path);
  listener.AnswerOnce("HTTP/1.1 200 OK\r\nServer: x\r\n\r\nOK");
  auto answer = probes.HttpGet(path, "/_ping");
  ASSERT_TRUE(answer.ok()) << answer.error().message();
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(answer->body, "OK");
  EXPECT_EQ(listener.Asked().find("GET /_ping HTTP/1.1\r\n"), 0u);
}

TEST_F(HostProbesTest, SendsRequestsToAHostByName) {
  Listener listener;
  listener.AnswerOnce("HTTP/1.1 503 Service Unavailable\r\n\r\nlater");
  auto answer =
      probes.HttpGet(TcpAddress{"127.0.0.1", listener.port()}, "/-/ready");
  ASSERT_TRUE(answer.ok()) << answer.error().message();
  EXPECT_EQ(answer->status, 503);
  EXPECT_EQ(answer->body, "later");
}

TEST_F(HostProbesTest, FailsWithoutASocket) {
  EXPECT_EQ(probes.Connect(path).error().code(), ErrorCode::kUnavailable);
}

TEST_F(HostProbesTest, FailsWhenNothingListens) {
  { Listener gone(path); }
  EXPECT_EQ(probes.Connect(path).error().code(), ErrorCode::kUnavailable);
}

TEST_F(HostProbesTest, ConnectsToASocket) {
  Listener listener(path);
  EXPECT_TRUE(probes.Connect(path).ok());
}

TEST_F(HostProbesTest, GivesUpOnASocketThatDoesNotAnswer) {
  Listener silent(path);
  HostProbes impatient(NoNvidia, std::chrono::milliseconds(20));
  auto answer = impatient.HttpGet(path, "/_ping");
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code(), ErrorCode::kTimeout);
}

TEST_F(HostProbesTest, RejectsAnAnswerThatIsNotHttp) {
  Listener listener(path);
  listener.AnswerOnce("SSH-2.0-OpenSSH_9.2p1\r\n");
  auto answer = probes.HttpGet(path, "/");
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code(), ErrorCode::kUnavailable);
}

TEST_F(HostProbesTest, RejectsAPathThatIsTooLongForASocket) {
  auto connected = probes.Connect(std::filesystem::path(std::string(200, 'x')));
  EXPECT_EQ(connected.error().code(), ErrorCode::kUnavailable);
}

TEST_F(HostProbesTest, TakesOnlyTheBeginningOfALongAnswer) {
  Listener listener(path);
  listener.AnswerOnce("HTTP/1.1 200 OK\r\n\r\n" + std::string(10'000, 'x'));
  auto answer = probes.HttpGet(path, "/");
  ASSERT_TRUE(answer.ok()) << answer.error().message();
  EXPECT_EQ(answer->body.size(), 4096u);
}

TEST_F(HostProbesTest, CountsInstructionsOrReportsWhyNot) {
  Status counted = probes.TryPerfCounter();
  if (counted.ok()) return;
  EXPECT_TRUE(counted.error().code() == ErrorCode::kUnsupported ||
              counted.error().code() == ErrorCode::kPermissionDenied)
      << counted.error().message();
}

}  // namespace
}  // namespace mete
