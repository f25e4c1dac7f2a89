#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "net/http_channel.h"
#include "net/http_server.h"
#include "tests/fakes/canned_server.h"

namespace mete {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr nanoseconds kLongestWait = std::chrono::seconds(20);

// A channel to one server, and what its requests came to.
class EpollChannelTest : public testing::Test {
 protected:
  void SetUp() override { channel_ = *OpenHttpChannel(clock_); }

  size_t Add(const Endpoint& endpoint, size_t most_connections = 64,
             const HttpRequest& request = {}) {
    auto server = channel_->AddServer(
        {.endpoint = endpoint, .most_connections = most_connections});
    CHECK(server.ok()) << server.error().message();
    return channel_->AddRequest(*server, request);
  }

  // Waits until this many requests are done.
  void Await(size_t count) {
    nanoseconds end = clock_.Now() + kLongestWait;
    while (done_.size() < count && clock_.Now() < end) {
      channel_->Work(std::min(end, clock_.Now() + milliseconds(50)), done_);
    }
    ASSERT_EQ(done_.size(), count);
  }

  SystemClock clock_;
  std::unique_ptr<HttpChannel> channel_;
  std::vector<HttpExchange> done_;
};

std::unique_ptr<HttpServer> ServeForChannel(HttpHandler handler,
                                            size_t threads = 2) {
  auto server =
      HttpServer::Start({.listen = {.host = "127.0.0.1"}, .threads = threads},
                        std::move(handler));
  CHECK(server.ok()) << server.error().message();
  return *std::move(server);
}

HttpReply Answer(int status, std::string body = "hello") {
  return {.response = {.status = status,
                       .fields = {{"server-timing", "service;dur=2.5"}},
                       .body = std::move(body)}};
}

// Keeps handlers waiting until a test lets them go.
class Gate {
 public:
  void Pass() {
    std::unique_lock lock(mutex_);
    ++arrived_;
    changed_.notify_all();
    changed_.wait_for(lock, kLongestWait, [this] { return open_; });
  }
  void Open() {
    std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  size_t arrived() {
    std::lock_guard lock(mutex_);
    return arrived_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
  size_t arrived_ = 0;
};

TEST_F(EpollChannelTest, SendsTheRequestAndReadsStatusTimesAndServiceTime) {
  std::string seen;
  auto server = ServeForChannel([&](const HttpRequest& request) {
    seen = request.method + " " + request.target + " " + request.body + " " +
           request.fields.at("x-kind");
    return Answer(201);
  });
  size_t request = Add(server->endpoint(), 1,
                       {.method = "POST",
                        .target = "/things?x=1",
                        .fields = {{"x-kind", "test"}},
                        .body = "body"});
  nanoseconds before = clock_.Now();
  channel_->Send(request, 42);
  EXPECT_EQ(channel_->outstanding(), 1u);
  Await(1);
  EXPECT_EQ(seen, "POST /things?x=1 body test");
  EXPECT_EQ(done_[0].tag, 42u);
  EXPECT_EQ(done_[0].status, 201);
  EXPECT_EQ(done_[0].fault, HttpFault::kNone);
  EXPECT_GE(*done_[0].sent, before);
  EXPECT_GT(done_[0].done, *done_[0].sent);
  EXPECT_DOUBLE_EQ(done_[0].timing.service.value().count(), 0.0025);
  EXPECT_EQ(channel_->outstanding(), 0u);
}

TEST_F(EpollChannelTest, KeepsConnectionsForTheNextRequest) {
  auto server = HttpServer::Start(
      {.listen = {.host = "127.0.0.1"}, .most_connections = 1},
      [](const HttpRequest&) { return Answer(200); });
  size_t request = Add((*server)->endpoint(), 1);
  // The server has room for one connection, and a second one would replace the
  // first.
  for (size_t i = 0; i < 100; ++i) {
    channel_->Send(request, i);
    Await(i + 1);
    ASSERT_EQ(done_[i].status, 200) << i;
  }
}

TEST_F(EpollChannelTest, SendsWithoutWaitingForEarlierAnswers) {
  Gate gate;
  auto server = ServeForChannel(
      [&](const HttpRequest&) {
        gate.Pass();
        return Answer(200);
      },
      8);
  size_t request = Add(server->endpoint());
  for (uint64_t i = 0; i < 8; ++i) channel_->Send(request, i);
  nanoseconds end = clock_.Now() + kLongestWait;
  while (gate.arrived() < 8 && clock_.Now() < end) {
    channel_->Work(clock_.Now() + milliseconds(5), done_);
  }
  EXPECT_EQ(gate.arrived(), 8u);
  EXPECT_TRUE(done_.empty());
  gate.Open();
  Await(8);
}

TEST_F(EpollChannelTest, RequestsBeyondTheConnectionsWaitInOrder) {
  Gate gate;
  auto server = ServeForChannel([&](const HttpRequest&) {
    gate.Pass();
    return Answer(200);
  });
  size_t request = Add(server->endpoint(), 1);
  for (uint64_t i = 0; i < 5; ++i) channel_->Send(request, i);
  EXPECT_EQ(channel_->outstanding(), 5u);
  EXPECT_EQ(channel_->queued(), 4u);
  gate.Open();
  Await(5);
  for (size_t i = 0; i < 5; ++i) EXPECT_EQ(done_[i].tag, i);
  // A request is sent when the connection has become free, not before.
  EXPECT_GE(*done_[1].sent, done_[0].done);
  EXPECT_EQ(channel_->queued(), 0u);
}

TEST_F(EpollChannelTest, ReportsErrorsOfTheServerAsAnswers) {
  auto server =
      ServeForChannel([](const HttpRequest&) { return Answer(503, ""); });
  size_t request = Add(server->endpoint());
  channel_->Send(request, 1);
  Await(1);
  EXPECT_EQ(done_[0].status, 503);
  EXPECT_EQ(done_[0].fault, HttpFault::kNone);
}

TEST_F(EpollChannelTest, SendsAndReadsBodiesThatDoNotFitIntoABuffer) {
  const std::string large(8 << 20, 'x');
  auto server = ServeForChannel([&](const HttpRequest& request) {
    return Answer(request.body == large ? 200 : 400, large);
  });
  size_t request =
      Add(server->endpoint(), 1, {.method = "POST", .body = large});
  channel_->Send(request, 1);
  channel_->Send(request, 2);
  Await(2);
  EXPECT_EQ(done_[0].status, 200);
  EXPECT_EQ(done_[1].status, 200);
}

TEST_F(EpollChannelTest, ReconnectsToServersThatCloseAfterEachAnswer) {
  CannedServer server({.pieces = {"HTTP/1.1 200 OK\r\nconnection: close\r\n",
                                  "content-length: 5\r\n\r\nhe", "llo"}});
  size_t request = Add(server.endpoint(), 1);
  for (uint64_t i = 0; i < 3; ++i) channel_->Send(request, i);
  Await(3);
  for (const HttpExchange& exchange : done_) {
    EXPECT_EQ(exchange.status, 200) << ToWords(exchange.fault);
  }
}

TEST_F(EpollChannelTest, ReplacesIdleConnectionsThatTheServerHasClosed) {
  CannedServer server(
      {.pieces = {"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"}});
  size_t request = Add(server.endpoint(), 1);
  for (size_t i = 0; i < 3; ++i) {
    channel_->Send(request, i);
    Await(i + 1);
    EXPECT_EQ(done_[i].status, 200);
    // The server closes the connection 5 ms after its answer.
    nanoseconds until = clock_.Now() + milliseconds(400);
    while (clock_.Now() < until) channel_->Work(until, done_);
  }
}

TEST_F(EpollChannelTest, BodyWithoutLengthEndsWithTheConnection) {
  CannedServer server({.pieces = {"HTTP/1.0 200 OK\r\n\r\nfirst", "second"}});
  size_t request = Add(server.endpoint());
  channel_->Send(request, 1);
  Await(1);
  EXPECT_EQ(done_[0].status, 200);
}

TEST_F(EpollChannelTest, ReportsAnswersThatAreCutOffOrNotHttp) {
  CannedServer cut(
      {.pieces = {"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n"}});
  CannedServer wrong({.pieces = {"SSH-2.0-OpenSSH_9.2\r\n"}, .hang = true});
  CannedServer silent({.pieces = {}});
  channel_->Send(Add(cut.endpoint()), 1);
  Await(1);
  channel_->Send(Add(wrong.endpoint()), 2);
  Await(2);
  channel_->Send(Add(silent.endpoint()), 3);
  Await(3);
  EXPECT_EQ(done_[0].fault, HttpFault::kClosed);
  EXPECT_EQ(done_[1].fault, HttpFault::kNotHttp);
  EXPECT_EQ(done_[2].fault, HttpFault::kClosed);
  for (const HttpExchange& exchange : done_) EXPECT_EQ(exchange.status, 0);
}

// Closes its only connection when the test says so, not when a thread does.
class ClosingServer {
 public:
  ClosingServer()
      : folder_(*ScratchFolder::Create()),
        listener_(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    endpoint_.socket = (folder_.path() / "s").string();
    endpoint_.socket.copy(address.sun_path, sizeof address.sun_path - 1);
    CHECK(bind(listener_.number(), reinterpret_cast<sockaddr*>(&address),
               sizeof address) == 0);
    CHECK(listen(listener_.number(), 1) == 0);
  }
  const Endpoint& endpoint() const { return endpoint_; }
  // With most of the request unread.
  void AnswerAndClose(std::string_view answer) {
    Descriptor peer(accept(listener_.number(), nullptr, nullptr));
    char first = 0;
    CHECK(recv(peer.number(), &first, 1, 0) == 1);
    CHECK(send(peer.number(), answer.data(), answer.size(), MSG_NOSIGNAL) ==
          static_cast<ssize_t>(answer.size()));
  }

 private:
  ScratchFolder folder_;
  Descriptor listener_;
  Endpoint endpoint_;
};

TEST_F(EpollChannelTest, ReadsTheAnswerOfAServerThatDoesNotTakeTheWholeBody) {
  ClosingServer server;
  const std::string body(8u << 20, 'x');
  channel_->Send(Add(server.endpoint(), 1, {.method = "POST", .body = body}),
                 1);
  server.AnswerAndClose(
      "HTTP/1.1 413 Payload Too Large\r\ncontent-length: 5\r\n"
      "connection: close\r\n\r\nlarge");
  Await(1);
  EXPECT_EQ(done_[0].status, 413) << ToWords(done_[0].fault);
  EXPECT_EQ(done_[0].fault, HttpFault::kNone);
}

TEST_F(EpollChannelTest,
       ABodyThatIsNeitherTakenNorAnsweredIsAClosedConnection) {
  ClosingServer server;
  const std::string body(8u << 20, 'x');
  channel_->Send(Add(server.endpoint(), 1, {.method = "POST", .body = body}),
                 1);
  server.AnswerAndClose("");
  Await(1);
  EXPECT_EQ(done_[0].fault, HttpFault::kClosed);
  EXPECT_EQ(channel_->outstanding(), 0u);
}

TEST_F(EpollChannelTest, ServerThatNeverAnswersKeepsItsRequestOutstanding) {
  CannedServer server({.pieces = {"HTTP/1.1 200 OK\r\n"}, .hang = true});
  size_t request = Add(server.endpoint());
  channel_->Send(request, 1);
  nanoseconds until = clock_.Now() + milliseconds(50);
  while (clock_.Now() < until) channel_->Work(until, done_);
  EXPECT_TRUE(done_.empty());
  EXPECT_EQ(channel_->outstanding(), 1u);
}

TEST_F(EpollChannelTest, RequestsFailWhenTheServerHasGone) {
  auto server = ServeForChannel([](const HttpRequest&) { return Answer(200); });
  size_t request = Add(server->endpoint());
  channel_->Send(request, 1);
  Await(1);
  server.reset();
  // The first may still find the old connection, the second must reconnect.
  channel_->Send(request, 2);
  Await(2);
  channel_->Send(request, 3);
  Await(3);
  EXPECT_EQ(done_[0].status, 200);
  EXPECT_NE(done_[1].fault, HttpFault::kNone);
  EXPECT_EQ(done_[2].fault, HttpFault::kUnreachable);
  EXPECT_FALSE(done_[2].sent.has_value());
}

TEST_F(EpollChannelTest, RefusesServersThatCannotBeReached) {
  auto gone = ServeForChannel([](const HttpRequest&) { return Answer(200); });
  Endpoint endpoint = gone->endpoint();
  gone.reset();
  auto refused = channel_->AddServer({.endpoint = endpoint});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), ErrorCode::kUnavailable);
  EXPECT_NE(refused.error().message().find(
                "connect to " + endpoint.Authority() + ": connection refused"),
            std::string::npos)
      << refused.error().message();
  EXPECT_FALSE(channel_->AddServer({.endpoint = {.socket = "/none/s"}}).ok());
  auto tls = channel_->AddServer(
      {.endpoint = {.host = "127.0.0.1", .port = 1, .tls = true}});
  EXPECT_EQ(tls.error().code(), ErrorCode::kUnsupported);
}

TEST_F(EpollChannelTest, WorkReturnsAtItsTimeAndAtOnceAfterIt) {
  auto server = ServeForChannel([](const HttpRequest&) { return Answer(200); });
  Add(server->endpoint());
  nanoseconds until = clock_.Now() + milliseconds(20);
  channel_->Work(until, done_);
  EXPECT_GE(clock_.Now(), until);
  channel_->Work(nanoseconds(0), done_);
  EXPECT_TRUE(done_.empty());
}

// No more descriptors can be opened while it exists.
class NoDescriptors {
 public:
  NoDescriptors() {
    getrlimit(RLIMIT_NOFILE, &before_);
    rlimit lower = before_;
    // The lowest number that is free.
    lower.rlim_cur =
        static_cast<rlim_t>(Descriptor(dup(STDERR_FILENO)).number());
    CHECK(setrlimit(RLIMIT_NOFILE, &lower) == 0);
  }
  ~NoDescriptors() { setrlimit(RLIMIT_NOFILE, &before_); }
  NoDescriptors(const NoDescriptors&) = delete;
  NoDescriptors& operator=(const NoDescriptors&) = delete;

 private:
  rlimit before_{};
};

TEST_F(EpollChannelTest, WithoutDescriptorsRequestsWaitForOtherConnections) {
  Gate gate;
  auto server = ServeForChannel([&](const HttpRequest&) {
    gate.Pass();
    return Answer(200);
  });
  size_t request = Add(server->endpoint(), 2);
  channel_->Send(request, 1);
  nanoseconds end = clock_.Now() + kLongestWait;
  while (gate.arrived() < 1 && clock_.Now() < end) {
    channel_->Work(clock_.Now() + milliseconds(5), done_);
  }
  ASSERT_EQ(gate.arrived(), 1u);
  {
    NoDescriptors none;
    channel_->Send(request, 2);
    channel_->Work(clock_.Now(), done_);
    EXPECT_TRUE(done_.empty());
    EXPECT_EQ(channel_->queued(), 1u);
  }
  gate.Open();
  Await(2);
  EXPECT_EQ(done_[1].tag, 2u);
  EXPECT_EQ(done_[1].status, 200);
}

// Its queue of connections is full, so that the next one is never established.
TEST_F(EpollChannelTest, GivesUpAServerThatDoesNotAcceptConnections) {
  Descriptor listening(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  ASSERT_EQ(bind(listening.number(), generic, size), 0);
  ASSERT_EQ(listen(listening.number(), 0), 0);
  ASSERT_EQ(getsockname(listening.number(), generic, &size), 0);
  std::vector<Descriptor> others;
  for (int i = 0; i < 4; ++i) {
    others.emplace_back(
        socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    static_cast<void>(connect(others.back().number(), generic, size));
  }
  channel_ = *OpenHttpChannel(clock_, {.connect_patience = milliseconds(20)});
  auto added = channel_->AddServer(
      {.endpoint = {.host = "127.0.0.1", .port = ntohs(address.sin_port)}});
  ASSERT_FALSE(added.ok());
  EXPECT_EQ(added.error().code(), ErrorCode::kTimeout);
}

}  // namespace
}  // namespace mete
