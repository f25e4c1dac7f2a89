// Tests of answers that come later, and of draining.
#include <gtest/gtest.h>

#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

#include "net/http_client.h"
#include "net/http_server.h"
#include "support/clock.h"
#include "support/file.h"
#include "tests/fakes/raw_caller.h"

namespace mete {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

HttpReply ReplyWith(const std::string& body) {
  return {.response = {.status = 200, .fields = {}, .body = body}};
}

// Keeps promised answers until the test gives them.
class Promises {
 public:
  HttpLaterHandler Handler() {
    return [this](const HttpRequest& request, const HttpResponder& answer) {
      std::lock_guard lock(mutex_);
      answers_.push_back([answer, target = request.target] {
        answer(ReplyWith("answer to " + target));
      });
      changed_.notify_all();
    };
  }
  void WaitFor(size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return answers_.size() >= count; });
  }
  void Keep() {
    std::lock_guard lock(mutex_);
    for (const auto& answer : answers_) answer();
    answers_.clear();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::function<void()>> answers_;
};

class HttpServerLaterTest : public testing::Test {
 protected:
  std::unique_ptr<HttpServer> Serve(HttpLaterHandler handler,
                                    HttpServerSettings settings = {}) {
    settings.listen = {.socket = (folder_.path() / "s").string()};
    auto server = HttpServer::Start(settings, std::move(handler));
    EXPECT_TRUE(server.ok()) << server.error().message();
    return *std::move(server);
  }

  ScratchFolder folder_ = *ScratchFolder::Create();
};

constexpr const char* kLast =
    "GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

TEST_F(HttpServerLaterTest, AnswersAtOnceIfTheHandlerDoes) {
  for (bool quick : {false, true}) {
    auto server = Serve(
        [](const HttpRequest& request, const HttpResponder& answer) {
          answer(ReplyWith(request.body));
        },
        {.quick = [quick](const HttpRequest&) { return quick; }});
    auto response =
        HttpClient(server->endpoint()).Send({.method = "POST", .body = "text"});
    ASSERT_TRUE(response.ok()) << response.error().message();
    EXPECT_EQ(response->body, "text");
  }
}

TEST_F(HttpServerLaterTest, MoreRequestsWaitThanThereAreThreads) {
  Promises promises;
  auto server = Serve(promises.Handler(), {.threads = 1});
  std::vector<std::unique_ptr<RawCaller>> callers;
  for (int i = 0; i < 20; ++i) {
    callers.push_back(std::make_unique<RawCaller>(server->endpoint()));
    callers.back()->Send(kLast);
  }
  promises.WaitFor(20);
  promises.Keep();
  for (auto& caller : callers) {
    EXPECT_TRUE(caller->ReadAll().ends_with("answer to /last"));
  }
}

TEST_F(HttpServerLaterTest, EndsOnlyWhenWhatWasPromisedIsKept) {
  Promises promises;
  auto server = Serve(promises.Handler());
  RawCaller caller(server->endpoint());
  caller.Send(kLast);
  promises.WaitFor(1);
  std::jthread keeper([&] { promises.Keep(); });
  server.reset();  // would crash later, or hang, otherwise
}

// A worker still holds the function with which it answered.
TEST_F(HttpServerLaterTest, AResponderMayOutliveTheServer) {
  std::promise<HttpResponder> promised;
  std::promise<void> busy;
  auto server = Serve(
      [&](const HttpRequest& request, const HttpResponder& answer) {
        if (request.target != "/busy") return promised.set_value(answer);
        answer(ReplyWith(""));
        busy.set_value();
        // The server usually ends before its I/O thread continues: only then is
        // the answer left undelivered.
        SystemClock().SleepFor(milliseconds(100), {});
      },
      {.quick = [](const HttpRequest& request) {
        return request.target == "/busy";
      }});
  RawCaller caller(server->endpoint());
  caller.Send(kLast);
  HttpResponder held = promised.get_future().get();
  RawCaller other(server->endpoint());
  other.Send("GET /busy HTTP/1.1\r\nHost: x\r\n\r\n");
  busy.get_future().get();
  held(ReplyWith("late"));
  server.reset();
  held = nullptr;  // would use what is gone
}

TEST_F(HttpServerLaterTest, DrainWaitsUntilTheResponseIsSent) {
  Promises promises;
  auto server = Serve(promises.Handler());
  RawCaller caller(server->endpoint());
  caller.Send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
  promises.WaitFor(1);
  std::jthread keeper([&] {
    // Draining has begun when nobody listens.
    const HttpClient probe(server->endpoint());
    while (probe.Connect().ok()) std::this_thread::yield();
    promises.Keep();
  });
  EXPECT_TRUE(server->Drain(seconds(60)));
  const std::string answer = caller.ReadAll();  // so it is closed, too
  EXPECT_TRUE(answer.ends_with("answer to /a")) << answer;
  EXPECT_NE(answer.find("Connection: close"), std::string::npos) << answer;
}

TEST_F(HttpServerLaterTest, DrainGivesUpAfterItsTime) {
  Promises promises;
  auto server = Serve(promises.Handler());
  RawCaller caller(server->endpoint());
  caller.Send(kLast);
  promises.WaitFor(1);
  EXPECT_FALSE(server->Drain(milliseconds(1)));
  promises.Keep();
  EXPECT_TRUE(caller.ReadAll().ends_with("answer to /last"));
}

TEST_F(HttpServerLaterTest, DrainStopsListening) {
  auto server = Serve([](const HttpRequest&, const HttpResponder& answer) {
    answer(ReplyWith("here"));
  });
  const HttpClient client(server->endpoint());
  EXPECT_TRUE(client.Send({}).ok());
  EXPECT_TRUE(server->Drain(seconds(60)));
  // The acceptor is closed soon after, on another thread.
  while (client.Send({}).ok()) {
  }
}

}  // namespace
}  // namespace mete
