// Tests mete load, the real program, against real servers.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "net/http_server.h"
#include "support/descriptor.h"
#include "support/file.h"
#include "support/json.h"
#include "support/spawn.h"
#include "tests/integration/until.h"

namespace mete {
namespace {

// What the program printed, and its exit code.
struct LoadResult {
  int code = -1;
  std::string out;
  std::string err;

  Json json() const { return *ParseJson(out); }
};

// Runs mete load with a state folder of its own.
class LoadTest : public testing::Test {
 protected:
  pid_t Start(std::vector<std::string> words) {
    words.insert(words.begin(), {METE_PROGRAM, "load"});
    auto open_file = [&](const char* name) {
      return Descriptor(open((folder_.path() / name).c_str(),
                             O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    };
    Descriptor out = open_file("out");
    Descriptor err = open_file("err");
    auto process = Spawn({.arguments = words,
                          .output = out.number(),
                          .errors = err.number(),
                          .environment = {{"METE_STATE", folder_.path()},
                                          {"HOME", folder_.path()}}});
    CHECK(process.ok()) << process.error().message();
    return *process;
  }
  LoadResult Await(pid_t process) {
    int status = 0;
    CHECK(waitpid(process, &status, 0) == process);
    return {.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
            .out = *ReadFile(folder_.path() / "out"),
            .err = *ReadFile(folder_.path() / "err")};
  }
  LoadResult Load(std::vector<std::string> words) {
    return Await(Start(std::move(words)));
  }

  // A server whose handler takes `work`, one request at a time.
  std::string Serve(std::chrono::milliseconds work) {
    auto server = HttpServer::Start(
        {.listen = {.host = "127.0.0.1"}, .threads = 1},
        [this, work](const HttpRequest& request) {
          ++requests_;
          std::this_thread::sleep_for(work);
          std::string timing = "service;dur=" + std::to_string(work.count());
          return HttpReply{
              .response = {.status = request.target == "/missing" ? 404 : 200,
                           .fields = {{"server-timing", timing}},
                           .body = "ok"}};
        });
    CHECK(server.ok()) << server.error().message();
    server_ = *std::move(server);
    return "http://127.0.0.1:" + std::to_string(server_->endpoint().port);
  }

  ScratchFolder folder_ = *ScratchFolder::Create();
  std::atomic<int> requests_ = 0;
  std::unique_ptr<HttpServer> server_;
};

TEST_F(LoadTest, EveryRequestOfTheScheduleIsSentAndAnswered) {
  std::string url = Serve(std::chrono::milliseconds(1));
  LoadResult result = Load({url, "--rate", "100/s", "--duration", "2s",
                            "--arrivals", "constant", "-o", "json"});
  EXPECT_EQ(result.code, 0) << result.err;
  Json target = result.json()["targets"][0];
  EXPECT_EQ(target["requests"]["sent"], 200);
  EXPECT_EQ(target["requests"]["answered"], 200);
  EXPECT_EQ(requests_, 200);
  EXPECT_DOUBLE_EQ(target["service_seconds"]["p50"].get<double>(), 1e-3);
  EXPECT_GT(target["sojourn_seconds"]["p50"].get<double>(), 1e-3);
}

// The server can do 50/s, half of what is sent.
TEST_F(LoadTest, OverloadIsLabelledAndCountsFromTheIntendedTimes) {
  std::string url = Serve(std::chrono::milliseconds(20));
  LoadResult result = Load({url, "--rate", "100/s", "--duration", "3s",
                            "--drain", "10s", "-o", "json"});
  EXPECT_EQ(result.code, 4) << result.err;
  Json target = result.json()["targets"][0];
  EXPECT_EQ(target["saturated"], true);
  EXPECT_EQ(target["requests"]["answered"], target["requests"]["sent"]);
  // The last request waits for all others: about 3 s.
  EXPECT_GT(target["sojourn_seconds"]["max"].get<double>(), 1.0);
  EXPECT_NE(result.err.find("is saturated"), std::string::npos) << result.err;
}

TEST_F(LoadTest, InterruptionPrintsWhatWasMeasured) {
  std::string url = Serve(std::chrono::milliseconds(1));
  pid_t process =
      Start({url, "--rate", "100/s", "--duration", "10m", "-o", "json"});
  ASSERT_TRUE(Until([&] { return requests_ >= 50; }));
  kill(process, SIGINT);
  LoadResult result = Await(process);
  EXPECT_EQ(result.code, 130) << result.err;
  Json target = result.json()["targets"][0];
  EXPECT_EQ(target["interrupted"], true);
  EXPECT_GE(target["requests"]["answered"].get<int>(), 49);
}

TEST_F(LoadTest, ReportsServersThatRefuseEverything) {
  std::string url = Serve(std::chrono::milliseconds(0));
  LoadResult result = Load({url + "/missing", "--duration", "1s"});
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.out.find("status 404"), std::string::npos) << result.out;
  server_.reset();
  result = Load({url, "--duration", "1s"});
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.err.find("connection refused"), std::string::npos);
}

// mete starts mete service for the time of the load.
TEST_F(LoadTest, LoadsAnApplicationOfTheZoo) {
  LoadResult result = Load(
      {"kalman-gru-small", "--rate", "20/s", "--duration", "2s", "-o", "json"});
  ASSERT_TRUE(result.code == 0 || result.code == 4) << result.err;
  Json target = result.json()["targets"][0];
  EXPECT_GT(target["requests"]["answered"].get<int>(), 10);
  EXPECT_GT(target["service_seconds"]["p50"].get<double>(), 0);
  EXPECT_EQ(target["name"], "kalman-gru-small");
}

TEST_F(LoadTest, UnknownApplicationIsOneLine) {
  LoadResult result = Load({"no-such-app", "--duration", "1s"});
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1)
      << result.err;
  EXPECT_NE(result.err.find("no-such-app"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace mete
