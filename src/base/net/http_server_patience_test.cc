// Slow clients, and many of them.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
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

TEST_F(HttpServerPatienceTest, KeepsAClientThatIsBeingAnswered) {
  Serve({.patience = kPatience, .most_connections = 1},
        std::string(16 << 20, 'x'));
  RawCaller first = Call();
  first.Send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
  char byte = 0;
  ASSERT_EQ(recv(first.number(), &byte, 1, MSG_PEEK), 1);
  EXPECT_EQ(Ask(), 0);
  EXPECT_GT(first.ReadAll().size(), 16u << 20);
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
