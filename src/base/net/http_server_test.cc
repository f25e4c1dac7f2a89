#include "net/http_server.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "net/http_client.h"
#include "support/descriptor.h"
#include "support/file.h"
#include "tests/fakes/raw_caller.h"
#include "tests/integration/until.h"

namespace mete {
namespace {

using std::chrono::milliseconds;

HttpReply Echo(const HttpRequest& request) {
  HttpReply reply;
  reply.response.status = 200;
  reply.response.fields["x-method"] = request.method;
  reply.response.body = request.target + " " + request.body;
  return reply;
}

class HttpServerTest : public testing::Test {
 protected:
  std::unique_ptr<HttpServer> Serve(HttpHandler handler,
                                    HttpServerSettings settings = {}) {
    settings.listen = {.socket = (folder_.path() / "s").string()};
    settings.piece_interval = milliseconds(5);
    auto server = HttpServer::Start(settings, std::move(handler));
    EXPECT_TRUE(server.ok()) << server.error().message();
    return *std::move(server);
  }

  // Sends raw bytes and returns everything until the end.
  std::string Raw(const HttpServer& server, const std::string& bytes) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, server.endpoint().socket.c_str(),
                 sizeof address.sun_path - 1);
    Descriptor peer(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    CHECK(connect(peer.number(), reinterpret_cast<sockaddr*>(&address),
                  sizeof address) == 0);
    CHECK(send(peer.number(), bytes.data(), bytes.size(), 0) >= 0);
    std::string answer;
    char buffer[4096];
    for (ssize_t got = 0; (got = recv(peer.number(), buffer, 4096, 0)) > 0;) {
      answer.append(buffer, static_cast<size_t>(got));
    }
    return answer;
  }

  ScratchFolder folder_ = *ScratchFolder::Create();
};

TEST_F(HttpServerTest, PassesOnRequestAndReply) {
  auto server = Serve(&Echo);
  auto response =
      HttpClient(server->endpoint())
          .Send({.method = "POST", .target = "/a?b=c", .body = "text"});
  ASSERT_TRUE(response.ok()) << response.error().message();
  EXPECT_EQ(response->status, 200);
  EXPECT_EQ(response->body, "/a?b=c text");
  EXPECT_EQ(response->fields.at("x-method"), "POST");
}

TEST_F(HttpServerTest, ListensOnAFreePort) {
  auto server = HttpServer::Start({.listen = {.host = "127.0.0.1"}}, &Echo);
  ASSERT_TRUE(server.ok()) << server.error().message();
  EXPECT_NE((*server)->endpoint().port, 0);
  EXPECT_EQ(HttpClient((*server)->endpoint()).Send({})->body, "/ ");
}

TEST_F(HttpServerTest, ATakenPortIsUnavailable) {
  auto first = HttpServer::Start({.listen = {.host = "127.0.0.1"}}, &Echo);
  auto second = HttpServer::Start({.listen = (*first)->endpoint()}, &Echo);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code(), ErrorCode::kUnavailable);
}

TEST_F(HttpServerTest, TakesOverTheSocketOfAKilledServer) {
  std::string path = (folder_.path() / "dead").string();
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  {
    Descriptor dead(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    ASSERT_EQ(bind(dead.number(), reinterpret_cast<sockaddr*>(&address),
                   sizeof address),
              0);
  }
  auto server = HttpServer::Start({.listen = {.socket = path}}, &Echo);
  ASSERT_TRUE(server.ok()) << server.error().message();
  auto second = HttpServer::Start({.listen = {.socket = path}}, &Echo);
  EXPECT_FALSE(second.ok()) << "took over a running server";
  EXPECT_EQ(HttpClient((*server)->endpoint()).Send({})->status, 200);
}

TEST_F(HttpServerTest, DoesNotRemoveAFileThatIsNoSocket) {
  std::string path = (folder_.path() / "data.csv").string();
  ASSERT_TRUE(WriteFileAtomically(path, "precious").ok());
  auto server = HttpServer::Start({.listen = {.socket = path}}, &Echo);
  EXPECT_FALSE(server.ok());
  EXPECT_EQ(*ReadFile(path), "precious");
}

TEST_F(HttpServerTest, RejectsAPathThatIsTooLong) {
  std::string path = "/" + std::string(200, 'x');
  auto server = HttpServer::Start({.listen = {.socket = path}}, &Echo);
  EXPECT_FALSE(server.ok());
}

TEST_F(HttpServerTest, OnlyItsUserCanConnectToASocket) {
  auto server = Serve(&Echo);
  auto mode = std::filesystem::status(server->endpoint().socket).permissions();
  EXPECT_EQ(mode, std::filesystem::perms::owner_read |
                      std::filesystem::perms::owner_write);
}

TEST_F(HttpServerTest, AnswersHeadWithoutABody) {
  auto server = Serve(&Echo);
  std::string answer =
      Raw(*server, "HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  EXPECT_TRUE(answer.ends_with("\r\n\r\n")) << answer;
  EXPECT_NE(answer.find("Content-Length: 2\r\n"), std::string::npos) << answer;
}

TEST_F(HttpServerTest, RefusesHeadWithoutABody) {
  auto server = Serve(&Echo);
  std::string answer = Raw(
      *server, "HEAD / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n");
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 400 ")) << answer;
  EXPECT_TRUE(answer.ends_with("\r\n\r\n")) << answer;
}

TEST_F(HttpServerTest, ARequestThatComesTooSoonIsRefusedWithoutItsHandler) {
  int asked = 0;
  auto server = Serve(
      &Echo,
      {.pace = [&asked](const HttpRequest& head) -> std::optional<HttpReply> {
        ++asked;
        if (head.target == "/one") return std::nullopt;
        return HttpReply{{.status = 429}};
      }});
  // The connection stays open: a new one would cost more than the answer.
  std::string answer =
      Raw(*server,
          "GET /two HTTP/1.1\r\nHost: x\r\n\r\n"
          "HEAD /two HTTP/1.1\r\nHost: x\r\n\r\n"
          "GET /one HTTP/1.1\r\nHost: x\r\n\r\n"
          "POST /two HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n");
  EXPECT_EQ(asked, 4);
  size_t refused = 0;
  for (size_t at = 0; (at = answer.find("429", at)) != std::string::npos; ++at)
    ++refused;
  EXPECT_EQ(refused, 3u) << answer;
  EXPECT_NE(answer.find("/one "), std::string::npos) << answer;
  EXPECT_EQ(answer.find("/two "), std::string::npos) << answer;
}

// A proxy may have checked the first one while a handler sees the last one.
TEST_F(HttpServerTest, RefusesARepeatedFieldThatMustBeUnique) {
  auto server = Serve(&Echo);
  for (const char* field :
       {"Authorization: Bearer a\r\nauthorization: Bearer b\r\n",
        "Host: y\r\n"}) {
    std::string answer =
        Raw(*server, std::string("GET / HTTP/1.1\r\nHost: x\r\n") + field +
                         "Connection: close\r\n\r\n");
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 400 ")) << answer;
  }
}

TEST_F(HttpServerTest, ServesSeveralRequestsOnOneConnection) {
  auto server = Serve(&Echo);
  std::string answer =
      Raw(*server,
          "GET /one HTTP/1.1\r\nHost: x\r\n\r\n"
          "GET /two HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  EXPECT_NE(answer.find("/one "), std::string::npos) << answer;
  EXPECT_NE(answer.find("/two "), std::string::npos) << answer;
}

TEST_F(HttpServerTest, SendsPiecesAsTheyArrive) {
  std::atomic<int> asked = 0;
  auto server = Serve([&](const HttpRequest&) {
    HttpReply reply{.response = {.status = 200}};
    reply.pieces = [&asked]() -> std::optional<std::string> {
      int turn = asked++;
      if (turn == 4) return std::nullopt;
      return turn % 2 == 0 ? "piece " : "";  // nothing yet
    };
    return reply;
  });
  EXPECT_EQ(HttpClient(server->endpoint()).Send({})->body, "piece piece ");
}

TEST_F(HttpServerTest, StopsProducingPiecesForAClientThatLeft) {
  std::atomic<int> asked = 0;
  std::atomic<bool> released = false;
  auto server = Serve([&](const HttpRequest&) {
    HttpReply reply{.response = {.status = 200}};
    auto guard =
        std::shared_ptr<void>(nullptr, [&](void*) { released = true; });
    reply.pieces = [&asked, guard]() -> std::optional<std::string> {
      return ++asked == 1 ? "first" : "";
    };
    return reply;
  });
  auto ended = HttpClient(server->endpoint()).Stream({}, [](std::string_view) {
    return false;
  });
  ASSERT_TRUE(ended.ok());
  EXPECT_TRUE(Until([&] { return released.load(); }));
}

TEST_F(HttpServerTest, RejectsALargeBody) {
  auto server = Serve(&Echo, {.largest_body = Bytes{10}});
  std::string answer = Raw(*server,
                           "POST / HTTP/1.1\r\nHost: x\r\n"
                           "Content-Length: 11\r\n\r\n");
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 413 ")) << answer;
}

TEST_F(HttpServerTest, AnswersGarbageWithBadRequest) {
  auto server = Serve(&Echo);
  EXPECT_TRUE(Raw(*server, "nonsense\r\n\r\n").starts_with("HTTP/1.1 400 "));
}

TEST_F(HttpServerTest, DisconnectsASilentClient) {
  auto server = Serve(&Echo, {.patience = milliseconds(50)});
  EXPECT_EQ(Raw(*server, "GET / HT"), "");
}

TEST_F(HttpServerTest, ASlowHandlerDoesNotHoldUpOthers) {
  std::atomic<bool> handling = false;
  std::atomic<bool> release = false;
  auto server = Serve([&](const HttpRequest& request) {
    while (request.target == "/slow" && !release) {
      handling = true;
      std::this_thread::sleep_for(milliseconds(1));
    }
    return Echo(request);
  });
  std::jthread slow(
      [&] { HttpClient(server->endpoint()).Send({.target = "/slow"}).ok(); });
  while (!handling) std::this_thread::sleep_for(milliseconds(1));
  EXPECT_EQ(HttpClient(server->endpoint()).Send({.target = "/fast"})->body,
            "/fast ");
  release = true;
}

bool IsQuick(const HttpRequest& request) { return request.target == "/quick"; }

TEST_F(HttpServerTest, QuickRequestsDoNotWaitForSlowOnes) {
  std::atomic<bool> begun = false;
  std::atomic<bool> answered = false;
  auto server = Serve(
      [&](const HttpRequest& request) {
        if (IsQuick(request)) return Echo(request);
        begun = true;
        begun.notify_all();
        answered.wait(false);
        return Echo(request);
      },
      {.threads = 1, .quick = &IsQuick});
  std::jthread slow([&] {
    EXPECT_EQ(HttpClient(server->endpoint()).Send({.target = "/slow"})->status,
              200);
  });
  begun.wait(false);
  EXPECT_EQ(HttpClient(server->endpoint()).Send({.target = "/quick"})->body,
            "/quick ");
  answered = true;
  answered.notify_all();
}

TEST_F(HttpServerTest, AnswersQuickRequestsInOrder) {
  std::atomic<int> inside = 0;
  std::atomic<int> overlaps = 0;
  auto server = Serve(
      [&](const HttpRequest& request) {
        if (++inside > 1) ++overlaps;
        std::this_thread::yield();
        --inside;
        return Echo(request);
      },
      {.threads = 4, .quick = &IsQuick});
  {
    std::vector<std::jthread> callers;
    for (int i = 0; i < 8; ++i) {
      callers.emplace_back([&server] {
        HttpClient client(server->endpoint());
        for (int j = 0; j < 20; ++j) {
          EXPECT_EQ(client.Send({.target = "/quick"})->status, 200);
        }
      });
    }
  }
  EXPECT_EQ(overlaps, 0);
}

TEST_F(HttpServerTest, ShutsDownWhileAClientIsConnected) {
  std::atomic<bool> asked = false;
  auto server = Serve([&asked](const HttpRequest&) {
    HttpReply reply{.response = {.status = 200}};
    reply.pieces = [&asked] {
      asked = true;
      return std::optional<std::string>("");
    };
    return reply;
  });
  std::jthread caller([endpoint = server->endpoint()] {
    HttpClient(endpoint).Send({}, {.silence = milliseconds(5000)}).ok();
  });
  while (!asked) std::this_thread::sleep_for(milliseconds(1));
  server.reset();  // would hang
}

TEST_F(HttpServerTest, LimitsTheBodyByTarget) {
  HttpServerSettings settings{.largest_body = Bytes{10}};
  settings.body_limit = [](std::string_view method, std::string_view target) {
    return method == "POST" && target == "/upload" ? Bytes{100} : Bytes{10};
  };
  auto server = Serve(&Echo, settings);
  HttpClient client(server->endpoint());
  auto status = [&](const char* target) {
    return client
        .Send(
            {.method = "POST", .target = target, .body = std::string(50, 'x')})
        ->status;
  };
  EXPECT_EQ(status("/upload"), 200);
  EXPECT_EQ(status("/other"), 413);
}

TEST_F(HttpServerTest, LimitsABodyWithoutALength) {
  auto server = Serve(&Echo, {.largest_body = Bytes{10}});
  std::string answer = Raw(*server,
                           "POST / HTTP/1.1\r\nHost: x\r\n"
                           "Transfer-Encoding: chunked\r\n\r\n"
                           "14\r\n01234567890123456789\r\n0\r\n\r\n");
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 413 ")) << answer;
}

TEST_F(HttpServerTest, AClientThatSendsTooMuchGetsAResponse) {
  auto server = Serve(&Echo, {.largest_body = Bytes{10}});
  auto response =
      HttpClient(server->endpoint())
          .Send({.method = "POST", .body = std::string(8 << 20, 'x')});
  ASSERT_TRUE(response.ok()) << response.error().message();
  EXPECT_EQ(response->status, 413);
}

TEST_F(HttpServerTest, AnswersExpectContinue) {
  auto server = Serve(&Echo);
  std::string answer =
      Raw(*server,
          "POST /a HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n"
          "Connection: close\r\nContent-Length: 2\r\n\r\nhi");
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200"))
      << answer;
}

TEST_F(HttpServerTest, RefusesARequestBeforeItsBodyArrives) {
  HttpServerSettings settings;
  settings.admit = [](const HttpRequest& head) -> std::optional<HttpReply> {
    if (head.fields.contains("authorization")) return std::nullopt;
    return HttpReply{{.status = 401, .body = "no"}};
  };
  auto server = Serve(&Echo, settings);
  // The body never comes.
  std::string answer = Raw(
      *server, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n");
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 401 ")) << answer;
  answer = Raw(*server,
               "POST / HTTP/1.1\r\nAuthorization: x\r\nConnection: close\r\n"
               "Content-Length: 2\r\n\r\nhi");
  EXPECT_TRUE(answer.ends_with("/ hi")) << answer;
}

TEST_F(HttpServerTest, KeepsALargeBodyInAFileIfAsked) {
  HttpServerSettings settings;
  settings.spool_folder = [this](std::string_view method,
                                 std::string_view target) {
    EXPECT_EQ(method, "POST");
    return target == "/file" ? folder_.path() / "bodies"
                             : std::filesystem::path();
  };
  auto server = Serve(
      [](const HttpRequest& request) -> HttpReply {
        return {{.status = request.spooled ? 200 : 202,
                 .body = std::string(request.Content())}};
      },
      settings);
  std::string large(3 << 20, 'x');
  large += "end";
  auto send = [&](const std::string& target, const std::string& body) {
    return HttpClient(server->endpoint())
        .Send({.method = "POST", .target = target, .body = body})
        .value();
  };
  HttpResponse filed = send("/file", large);
  EXPECT_EQ(filed.status, 200);
  EXPECT_TRUE(filed.body == large);
  EXPECT_EQ(send("/file", "short").status, 202);
  HttpResponse held = send("/memory", large);
  EXPECT_EQ(held.status, 202);
  EXPECT_TRUE(held.body == large);
}

TEST_F(HttpServerTest, ReportsABodyThatCannotBeKept) {
  HttpServerSettings settings;
  std::filesystem::path file = folder_.path() / "file";
  ASSERT_TRUE(WriteFileAtomically(file, "no folder").ok());
  settings.spool_folder = [file](std::string_view, std::string_view) {
    return file;
  };
  auto server = Serve(&Echo, settings);
  auto response =
      HttpClient(server->endpoint())
          .Send({.method = "POST", .body = std::string(3 << 20, 'x')});
  ASSERT_TRUE(response.ok()) << response.error().message();
  EXPECT_EQ(response->status, 507);
}

// Servers and proxies disagree about the end of such requests.
TEST_F(HttpServerTest, RefusesTransferCodingsOtherThanChunked) {
  auto server = Serve(&Echo);
  for (const char* coding :
       {"gzip", "gzip, chunked", "identity", "chunked, chunked", "xchunked",
        "chunked\r\nTransfer-Encoding: chunked"}) {
    std::string answer = Raw(*server, std::string("POST / HTTP/1.1\r\n"
                                                  "Transfer-Encoding: ") +
                                          coding + "\r\n\r\n0\r\n\r\n");
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 400 ")) << coding << answer;
    EXPECT_EQ(answer.find("HTTP/1.1", 1), std::string::npos)
        << "a second answer to " << coding;
  }
}

TEST_F(HttpServerTest, BodiesThatOnlyWereAnnouncedDoNotCount) {
  auto server = Serve(&Echo, {.most_body_bytes = Mebibytes(3)});
  std::vector<RawCaller> others;
  for (int i = 0; i < 4; ++i) {
    others.emplace_back(server->endpoint());
    others.back().Send(
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2500000\r\n\r\n");
  }
  auto response =
      HttpClient(server->endpoint())
          .Send({.method = "POST", .body = std::string(2 << 20, 'x')});
  ASSERT_TRUE(response.ok()) << response.error().message();
  EXPECT_EQ(response->status, 200);
}

// Waits until a reply begins to arrive, without reading it.
bool HasReply(const RawCaller& caller) {
  pollfd peer{.fd = caller.number(), .events = POLLIN, .revents = 0};
  return poll(&peer, 1, 20'000) == 1;
}

// Clients that ask for much and never read must not fill the memory. The
// buffers of the system take several megabytes of a response.
TEST_F(HttpServerTest, LimitsTheTotalOfLargeResponses) {
  auto server = Serve(
      [](const HttpRequest& request) {
        const bool large = request.target == "/large";
        return HttpReply{
            .response = {.status = 200,
                         .body = std::string(large ? 8 << 20 : 1000, 'x')}};
      },
      {.most_reply_bytes = Mebibytes(12)});
  auto ask = [&](const std::string& target) {
    return HttpClient(server->endpoint()).Send({.target = target})->status;
  };
  {
    RawCaller idle(server->endpoint());
    idle.Send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
    // Otherwise the request of `ask` might come first, and refuse this one.
    ASSERT_TRUE(HasReply(idle));
    EXPECT_EQ(ask("/large"), 503);
    EXPECT_EQ(ask("/small"), 200);
  }
  EXPECT_TRUE(Until([&] { return ask("/large") == 200; }));
}

TEST_F(HttpServerTest, FieldNamesAreInLowerCase) {
  auto server = Serve([](const HttpRequest& request) {
    return HttpReply{
        .response = {.status = 200, .body = request.fields.at("az-azaz")}};
  });
  const std::string answer =
      Raw(*server, "GET / HTTP/1.0\r\nAZ-AzaZ: yes\r\n\r\n");
  EXPECT_TRUE(answer.ends_with("yes")) << answer;
}

TEST_F(HttpServerTest, LargeResponsesMayReachTheTotal) {
  auto server = Serve(
      [](const HttpRequest& request) {
        const size_t more = request.target == "/more" ? 1 : 0;
        return HttpReply{
            .response = {.status = 200,
                         .body = std::string((2 << 20) + more, 'x')}};
      },
      {.most_reply_bytes = Mebibytes(4)});
  auto ask = [&](const std::string& target) {
    return HttpClient(server->endpoint()).Send({.target = target})->status;
  };
  RawCaller idle(server->endpoint());
  idle.Send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  ASSERT_TRUE(HasReply(idle));
  EXPECT_EQ(ask("/more"), 503);
  EXPECT_EQ(ask("/"), 200);
}

// A single response may be larger.
TEST_F(HttpServerTest, SendsAResponseBeyondTheTotalAlone) {
  auto server = Serve(
      [](const HttpRequest&) {
        return HttpReply{
            .response = {.status = 200, .body = std::string(2 << 20, 'x')}};
      },
      {.most_reply_bytes = Mebibytes(1)});
  auto response = HttpClient(server->endpoint()).Send({});
  ASSERT_TRUE(response.ok()) << response.error().message();
  EXPECT_EQ(response->body.size(), 2u << 20);
}

TEST_F(HttpServerTest, LimitsTheTotalOfLargeBodies) {
  HttpServerSettings settings{.most_body_bytes = Mebibytes(3)};
  std::atomic<int> waiting = 0;
  std::atomic<bool> go = false;
  auto server = Serve(
      [&](const HttpRequest& request) {
        ++waiting;
        while (!go) std::this_thread::yield();
        return Echo(request);
      },
      settings);
  auto send = [&](uint64_t bytes) {
    return HttpClient(server->endpoint())
        .Send({.method = "POST", .body = std::string(bytes, 'x')})
        ->status;
  };
  int first = 0;
  std::thread other([&] { first = send(2 << 20); });
  while (waiting == 0) std::this_thread::yield();
  EXPECT_EQ(send(2 << 20), 503);
  go = true;
  EXPECT_EQ(send(1000), 200);
  other.join();
  EXPECT_EQ(first, 200);
  EXPECT_EQ(send(2 << 20), 200);
}

TEST_F(HttpServerTest, LargeBodiesMayReachTheTotal) {
  std::atomic<int> waiting = 0;
  std::atomic<bool> go = false;
  auto server = Serve(
      [&](const HttpRequest& request) {
        ++waiting;
        while (!go) std::this_thread::yield();
        return Echo(request);
      },
      {.most_body_bytes = Mebibytes(4), .threads = 4});
  auto send = [&](uint64_t bytes) {
    return HttpClient(server->endpoint())
        .Send({.method = "POST", .body = std::string(bytes, 'x')})
        ->status;
  };
  std::atomic<int> first = 0, second = 0;
  std::jthread one([&] { first = send(2 << 20); });
  while (waiting < 1) std::this_thread::yield();
  EXPECT_EQ(send((2 << 20) + 1), 503);
  std::jthread other([&] { second = send(2 << 20); });
  while (waiting < 2 && second == 0) std::this_thread::yield();
  go = true;
  one.join();
  other.join();
  EXPECT_EQ(first, 200);
  EXPECT_EQ(second, 200);
}

}  // namespace
}  // namespace mete
