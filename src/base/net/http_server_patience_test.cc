// Slow clients, and many of them.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <list>
#include <thread>

#include "net/http_client.h"
#include "net/http_server.h"
#include "support/file.h"
#include "tests/fakes/raw_caller.h"

namespace mete {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kPatience{300};
// Added to the limits, for a busy machine.
constexpr milliseconds kSlack{3000};

constexpr const char* kRequest =
    "GET / HTTP/1.1\r\nHost: x\r\nX: 0123456789012345678901234567890123456789";

class HttpServerPatienceTest : public testing::Test {
 protected:
  void Serve(HttpServerSettings settings = {.patience = kPatience},
             std::string answer = "fine") {
    settings.listen = {.socket = (folder_.path() / "s").string()};
    auto started =
        HttpServer::Start(settings, [answer](const HttpRequest&) -> HttpReply {
          return {.response = {.status = 200, .body = answer}};
        });
    ASSERT_TRUE(started.ok()) << started.error().message();
    server_ = *std::move(started);
  }
  RawCaller Call() { return RawCaller(server_->endpoint()); }
  int Ask() {
    auto response = HttpClient(server_->endpoint())
                        .Send({}, {.silence = std::chrono::seconds(10)});
    return response.ok() ? response->status : 0;
  }

  ScratchFolder folder_ = *ScratchFolder::Create();
  std::unique_ptr<HttpServer> server_;
};

TEST_F(HttpServerPatienceTest, GivesUpOnATricklingHeader) {
  Serve();
  milliseconds borne = Call().Trickle(kRequest);
  EXPECT_GE(borne, kPatience - milliseconds(50));
  EXPECT_LE(borne, kPatience + kSlack);
}

TEST_F(HttpServerPatienceTest, GivesUpOnATricklingBody) {
  Serve();
  RawCaller caller = Call();
  caller.Send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n");
  milliseconds borne = caller.Trickle("x");
  EXPECT_GE(borne, kPatience - milliseconds(50));
  EXPECT_LE(borne, kPatience + kSlack);
}

TEST_F(HttpServerPatienceTest, GivesUpOnAShortBodyInTricklingChunks) {
  Serve({.largest_body = Bytes{1000}, .patience = kPatience});
  RawCaller caller = Call();
  caller.Send("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n");
  milliseconds borne = caller.Trickle("1\r\nx\r\n");
  EXPECT_GE(borne, kPatience - milliseconds(50));
  EXPECT_LE(borne, kPatience + kSlack);
}

TEST_F(HttpServerPatienceTest, DisconnectsAClientThatDoesNotReadTheResponse) {
  Serve({.patience = kPatience}, std::string(16 << 20, 'x'));
  RawCaller caller = Call();
  caller.Send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_FALSE(caller.ClosedWithin(kPatience / 2));
  EXPECT_TRUE(caller.ClosedWithin(kPatience + kSlack));
}

TEST_F(HttpServerPatienceTest, ClosesAnIdleConnection) {
  Serve();
  RawCaller caller = Call();
  caller.Send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_TRUE(caller.ClosedWithin(kPatience + kSlack));
}

// Raises the descriptor limit as far as the system allows.
void AllowManyDescriptors() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 4096);
  setrlimit(RLIMIT_NOFILE, &limit);
}

TEST_F(HttpServerPatienceTest, ManyTricklingClientsKeepNobodyOut) {
  AllowManyDescriptors();
  Serve();
  std::list<RawCaller> crowd;
  for (int i = 0; i < 600; ++i) {
    crowd.push_back(Call());
    ASSERT_TRUE(crowd.back().Send("GET / HT"));
  }
  auto begun = steady_clock::now();
  EXPECT_EQ(Ask(), 200);
  EXPECT_LT(steady_clock::now() - begun, kPatience + kSlack);
  for (RawCaller& caller : crowd) EXPECT_TRUE(caller.ClosedWithin(kSlack));
}

TEST_F(HttpServerPatienceTest, ReplacesTheLongestWaitingClient) {
  // More patience than the test takes, so that only the limit matters.
  Serve({.patience = std::chrono::seconds(60), .most_connections = 2});
  RawCaller first = Call();
  first.Send("GET / HT");
  RawCaller second = Call();
  second.Send("GET / HT");
  EXPECT_EQ(Ask(), 200);
  EXPECT_TRUE(first.ClosedWithin(milliseconds(0)));
  EXPECT_FALSE(second.ClosedWithin(milliseconds(0)));
}

TEST_F(HttpServerPatienceTest, AnnouncedBodiesThatDoNotComeKeepNobodyOut) {
  Serve({.patience = std::chrono::seconds(60), .most_connections = 8});
  std::list<RawCaller> crowd;
  for (int i = 0; i < 20; ++i) {
    crowd.push_back(Call());
    crowd.back().Send(
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3000000\r\n\r\nx");
  }
  EXPECT_EQ(Ask(), 200);
}

TEST_F(HttpServerPatienceTest, ClientsThatNeverReadKeepNobodyOut) {
  Serve({.patience = std::chrono::seconds(60), .most_connections = 4},
        std::string(16 << 20, 'x'));
  std::list<RawCaller> crowd;
  for (int i = 0; i < 4; ++i) {
    crowd.push_back(Call());
    crowd.back().Send(
        "GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n");
    char byte = 0;
    ASSERT_EQ(recv(crowd.back().number(), &byte, 1, MSG_PEEK), 1);
  }
  EXPECT_EQ(Ask(), 200);
}

TEST_F(HttpServerPatienceTest, ProgressKeepsAClient) {
  Serve({.patience = std::chrono::seconds(60), .most_connections = 2});
  RawCaller sender = Call();
  RawCaller silent = Call();
  for (RawCaller* caller : {&sender, &silent}) {
    caller->Send(
        "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n"
        "Content-Length: 4\r\n\r\n");
    char byte = 0;  // the server has read the header
    ASSERT_EQ(recv(caller->number(), &byte, 1, MSG_PEEK), 1);
  }
  sender.Send("x");
  std::this_thread::sleep_for(milliseconds(300));  // until that was read, too
  EXPECT_EQ(Ask(), 200);
  EXPECT_TRUE(silent.ClosedWithin(milliseconds(0)));
  EXPECT_FALSE(sender.ClosedWithin(milliseconds(0)));
}

TEST_F(HttpServerPatienceTest, KeepsAClientWhoseRequestIsBeingHandled) {
  std::atomic<bool> begun = false;
  std::atomic<bool> go = false;
  auto started =
      HttpServer::Start({.listen = {.socket = (folder_.path() / "s").string()},
                         .most_connections = 1},
                        [&](const HttpRequest&) -> HttpReply {
                          begun = true;
                          while (!go) std::this_thread::yield();
                          return {.response = {.status = 200, .body = "fine"}};
                        });
  ASSERT_TRUE(started.ok()) << started.error().message();
  server_ = *std::move(started);
  RawCaller first = Call();
  first.Send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
  while (!begun) std::this_thread::yield();
  EXPECT_EQ(Ask(), 0);
  go = true;
  EXPECT_TRUE(first.ReadAll().ends_with("fine"));
}

// A machine with many connections loses one of its own.
TEST_F(HttpServerPatienceTest, MakesRoomAtTheAddressWithTheMostConnections) {
  auto started =
      HttpServer::Start({.listen = {.host = "127.0.0.1"},
                         .patience = std::chrono::seconds(60),
                         .most_connections = 4},
                        [](const HttpRequest& request) -> HttpReply {
                          return {{.status = 200, .body = request.peer}};
                        });
  ASSERT_TRUE(started.ok()) << started.error().message();
  server_ = *std::move(started);
  RawCaller oldest = Call();
  oldest.Send("GET / HT");
  std::list<RawCaller> crowd;
  for (int i = 0; i < 10; ++i) {
    crowd.emplace_back(server_->endpoint(), 2);
    crowd.back().Send("GET / HT");
  }
  crowd.emplace_back(server_->endpoint(), 2);
  crowd.back().Send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
  EXPECT_TRUE(crowd.back().ReadAll().ends_with("127.0.0.2"));
  EXPECT_FALSE(oldest.ClosedWithin(milliseconds(0)));
}

TEST_F(HttpServerPatienceTest, RejectsALargeHeader) {
  Serve();
  RawCaller caller = Call();
  caller.Send("GET / HTTP/1.1\r\nX: " + std::string(9000, 'x') + "\r\n\r\n");
  std::string answer = caller.ReadAll();
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 431 ")) << answer;
}

TEST_F(HttpServerPatienceTest, RejectsAnEndlessChunkHeader) {
  Serve();
  RawCaller caller = Call();
  caller.Send("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;");
  for (int i = 0; i < 100; ++i) caller.Send(std::string(4096, 'x'));
  std::string answer = caller.ReadAll();
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 400 ")) << answer;
}

}  // namespace
}  // namespace mete
