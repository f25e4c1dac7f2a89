// Over real sockets, with a server that answers as Prometheus does.
#include "adapters/prometheus/prometheus_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mutex>

#include "net/http_server.h"
#include "support/file.h"
#include "support/units.h"
#include "tests/fakes/canned_server.h"
#include "tests/fakes/fake_clock.h"

namespace mete {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;

// Answers each range query with the points of its grid, unless set to fail.
class RangeServer {
 public:
  RangeServer() {
    server_ = *HttpServer::Start(
        {.listen = {.host = "127.0.0.1"}},
        [this](const HttpRequest& request) { return Answer(request); });
  }

  PrometheusPlace place() const {
    return {.url = {.endpoint = server_->endpoint()}};
  }
  // The next responses, in order, instead of the points.
  void Fail(std::vector<HttpResponse> with) { failures_ = std::move(with); }
  int requests() const { return requests_; }

 private:
  HttpReply Answer(const HttpRequest& request) {
    std::lock_guard lock(mutex_);
    ++requests_;
    if (!failures_.empty()) {
      HttpResponse failure = failures_.front();
      failures_.erase(failures_.begin());
      return {failure};
    }
    auto query = ParseQuery(SplitTarget(request.target).query);
    double end = std::stod(query["end"]);
    double step = std::stod(query["step"]);
    std::string points;
    for (double time = std::stod(query["start"]); time <= end + step / 10;
         time += step) {
      points += (points.empty() ? "" : ",") + std::string("[") +
                std::to_string(time) + ",\"" + std::to_string(time) + "\"]";
    }
    return {{.status = 200,
             .body = R"({"status":"success","data":{"resultType":"matrix",)"
                     R"("result":[{"metric":{"q":")" +
                     query["query"] + R"("},"values":[)" + points + "]}]}}"}};
  }

  std::mutex mutex_;
  std::vector<HttpResponse> failures_;
  std::atomic<int> requests_ = 0;
  std::unique_ptr<HttpServer> server_;
};

HistoryQuery Query(const std::string& promql, int points) {
  return {.promql = promql,
          .from = WallTime(seconds(1000)),
          .to = WallTime(seconds(1000 + points - 1))};
}

TEST(PrometheusHistory, JoinsTheChunksOfEveryQuery) {
  RangeServer server;
  FakeClock clock;
  PrometheusHistory history(
      server.place(), {.bounds = {.points = 4, .first_points = 3}}, clock);
  auto answers = history.Ask({Query("a", 10), Query("b", 2)}, {});
  ASSERT_EQ(answers.size(), 2u);
  ASSERT_TRUE(answers[0].ok()) << answers[0].error().message();
  ASSERT_EQ(answers[0]->size(), 1u);
  EXPECT_EQ(answers[0]->at(0).Label("q"), "a");
  EXPECT_THAT(
      answers[0]->at(0).values,
      ElementsAre(1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 1009));
  EXPECT_THAT(answers[1]->at(0).values, ElementsAre(1000, 1001));
  EXPECT_EQ(server.requests(), 4);
}

TEST(PrometheusHistory, RepeatsWhatMayPass) {
  RangeServer server;
  FakeClock clock;
  server.Fail({{.status = 503, .body = "starting"},
               {.status = 429, .fields = {{"retry-after", "7"}}}});
  PrometheusHistory history(server.place(), {.parallel = 1}, clock);
  auto before = clock.Now();
  auto answers = history.Ask({Query("a", 1)}, {});
  ASSERT_TRUE(answers[0].ok()) << answers[0].error().message();
  EXPECT_EQ(server.requests(), 3);
  EXPECT_GE(clock.Now() - before, seconds(7));
}

TEST(PrometheusHistory, GivesUpAfterItsAttempts) {
  RangeServer server;
  FakeClock clock;
  server.Fail(std::vector<HttpResponse>(9, {.status = 500}));
  PrometheusHistory history(server.place(), {.attempts = 3}, clock);
  auto answers = history.Ask({Query("a", 1)}, {});
  EXPECT_EQ(answers[0].error().code(), ErrorCode::kUnavailable);
  EXPECT_THAT(answers[0].error().message(), HasSubstr("status 500"));
  EXPECT_EQ(server.requests(), 3);
}

TEST(PrometheusHistory, DoesNotAskALostServerFurther) {
  RangeServer server;
  FakeClock clock;
  server.Fail(std::vector<HttpResponse>(9, {.status = 502}));
  PrometheusHistory history(server.place(), {.parallel = 1, .attempts = 2},
                            clock);
  auto answers = history.Ask({Query("a", 1), Query("b", 1), Query("c", 1)}, {});
  EXPECT_EQ(answers[0].error().code(), ErrorCode::kUnavailable);
  EXPECT_EQ(answers[2].error().code(), ErrorCode::kUnavailable);
  EXPECT_EQ(server.requests(), 2);
}

TEST(PrometheusHistory, DoesNotRepeatARejectedQuery) {
  RangeServer server;
  FakeClock clock;
  server.Fail({{.status = 400,
                .body = R"({"status":"error","error":"parse error at 1"})"},
               {.status = 401}});
  PrometheusHistory history(server.place(), {.parallel = 1}, clock);
  auto answers = history.Ask({Query("(", 1), Query("a", 1), Query("b", 1)}, {});
  EXPECT_EQ(answers[0].error().code(), ErrorCode::kInvalidInput);
  EXPECT_THAT(answers[0].error().message(), HasSubstr("parse error at 1"));
  EXPECT_EQ(answers[1].error().code(), ErrorCode::kPermissionDenied);
  EXPECT_TRUE(answers[2].ok());
  EXPECT_EQ(server.requests(), 3);
}

TEST(PrometheusHistory, StopsOnRequest) {
  CannedServer silent({.pieces = {}, .hang = true});
  FakeClock clock;
  PrometheusHistory history({.url = {.endpoint = silent.endpoint()}}, {},
                            clock);
  std::stop_source stop;
  stop.request_stop();
  auto answers = history.Ask({Query("a", 1)}, stop.get_token());
  EXPECT_EQ(answers[0].error().code(), ErrorCode::kInterrupted);
}

TEST(PrometheusHistory, TimesOutOnASilentServer) {
  CannedServer silent({.pieces = {}, .hang = true});
  FakeClock clock;
  PrometheusHistory history({.url = {.endpoint = silent.endpoint()}},
                            {.deadline = milliseconds(200), .attempts = 1},
                            clock);
  EXPECT_EQ(history.Ask({Query("a", 1)}, {})[0].error().code(),
            ErrorCode::kTimeout);
}

}  // namespace
}  // namespace mete
