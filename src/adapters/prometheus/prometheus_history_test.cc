// Over real sockets, with a server that answers as Prometheus does.
#include "adapters/prometheus/prometheus_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>

#include "net/http_server.h"
#include "support/file.h"
#include "support/units.h"
#include "tests/fakes/canned_server.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/tls_server.h"

namespace mete {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

// Answers each range query with the points of its grid, unless set to fail.
class RangeServer {
 public:
  RangeServer() {
    server_ = *HttpServer::Start(
        {.listen = {.host = "127.0.0.1"}, .threads = 4},
        [this](const HttpRequest& request) { return Answer(request); });
  }

  PrometheusPlace place() const {
    return {.url = {.endpoint = server_->endpoint()}};
  }
  // The next responses, in order, instead of the points.
  void Fail(std::vector<HttpResponse> with) { failures_ = std::move(with); }
  // Answers wait, at most half a second, until this many requests are there.
  void WaitForCompany(int requests) { company_ = requests; }
  int requests() const { return requests_; }
  int most_at_once() const { return most_at_once_; }
  std::string authorization() const { return authorization_; }

 private:
  HttpReply Answer(const HttpRequest& request) {
    std::unique_lock lock(mutex_);
    ++requests_;
    if (auto field = request.fields.find("authorization");
        field != request.fields.end()) {
      authorization_ = field->second;
    }
    most_at_once_ = std::max(most_at_once_, ++at_once_);
    arrived_.notify_all();
    arrived_.wait_for(lock, milliseconds(500),
                      [this] { return most_at_once_ >= company_; });
    --at_once_;
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
  std::condition_variable arrived_;
  int company_ = 0;
  int at_once_ = 0;
  int most_at_once_ = 0;
  std::string authorization_;
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

// The memory of all answers together counts, not that of one query.
TEST(PrometheusHistory, RefusesAnswersThatWouldFillTheMemory) {
  RangeServer server;
  FakeClock clock;
  const std::vector<HistoryQuery> queries = {Query("a", 100), Query("b", 100),
                                             Query("c", 100)};
  PrometheusHistory history(
      server.place(),
      {.bounds = {.answers = Bytes{2 * 100 * 16 + 1000}}, .parallel = 1},
      clock);
  auto answers = history.Ask(queries, {});
  EXPECT_TRUE(answers[0].ok());
  EXPECT_TRUE(answers[1].ok());
  ASSERT_FALSE(answers[2].ok());
  EXPECT_EQ(answers[2].error().code(), ErrorCode::kCorrupt);
  EXPECT_THAT(answers[2].error().message(),
              AllOf(HasSubstr("take more than 4.1 KiB"), HasSubstr("step")));
  // The next round begins with nothing.
  EXPECT_TRUE(history.Ask({queries[0], queries[1]}, {})[1].ok());
}

TEST(PrometheusHistory, AsksNothingMoreOnceTheAnswersAreTooLarge) {
  RangeServer server;
  FakeClock clock;
  PrometheusHistory history(
      server.place(), {.bounds = {.answers = Bytes{10}}, .parallel = 1}, clock);
  auto answers = history.Ask({Query("a", 10), Query("b", 10)}, {});
  EXPECT_EQ(answers[0].error().code(), ErrorCode::kCorrupt);
  EXPECT_EQ(answers[1].error().code(), ErrorCode::kCorrupt);
  EXPECT_EQ(server.requests(), 1);
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

// Waits of 0.5, 1 and 2 s, each varied by half.
TEST(PrometheusHistory, WaitsLongerAfterEachAttempt) {
  RangeServer server;
  FakeClock clock;
  server.Fail(std::vector<HttpResponse>(3, {.status = 503}));
  PrometheusHistory history(server.place(), {}, clock);
  ASSERT_TRUE(history.Ask({Query("a", 1)}, {})[0].ok());
  EXPECT_EQ(server.requests(), 4);
  EXPECT_GE(clock.Now(), milliseconds(1750));
  EXPECT_LE(clock.Now(), milliseconds(5250));
}

// A server that asks for an hour must not stop the watch for an hour.
TEST(PrometheusHistory, DoesNotWaitAsLongAsAServerMayAsk) {
  RangeServer server;
  FakeClock clock;
  server.Fail({{.status = 429, .fields = {{"retry-after", "3600"}}}});
  PrometheusHistory history(server.place(), {}, clock);
  ASSERT_TRUE(history.Ask({Query("a", 1)}, {})[0].ok());
  EXPECT_EQ(clock.Now(), seconds(20));
}

// Tokens expire, and their files are replaced.
TEST(PrometheusHistory, SendsTheCurrentSecretWithEveryRequest) {
  auto folder = *ScratchFolder::Create();
  const auto file = folder.path() / "secret";
  RangeServer server;
  FakeClock clock;
  PrometheusPlace place = server.place();
  place.bearer_token_file = file;
  PrometheusHistory history(place, {}, clock);
  EXPECT_EQ(history.Ask({Query("a", 1)}, {})[0].error().code(),
            ErrorCode::kNotFound);
  for (const std::string secret : {"one", "two"}) {
    ASSERT_TRUE(WriteFileAtomically(file, secret + "\n").ok());
    ASSERT_TRUE(history.Ask({Query("a", 1)}, {})[0].ok());
    EXPECT_EQ(server.authorization(), "Bearer " + secret);
  }
  place.bearer_token_file.clear();
  place.username = "me";
  place.password_file = file;
  ASSERT_TRUE(
      PrometheusHistory(place, {}, clock).Ask({Query("a", 1)}, {})[0].ok());
  EXPECT_EQ(server.authorization(), "Basic bWU6dHdv");
}

TEST(PrometheusHistory, TrustsOnlyAVerifiedServer) {
  const std::string body =
      R"({"status":"success","data":{"resultType":"matrix","result":[]}})";
  TlsServer server("IP:127.0.0.1",
                   "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: " +
                       std::to_string(body.size()) + "\r\n\r\n" + body);
  FakeClock clock;
  auto ask = [&](const std::string& ca_file) {
    PrometheusHistory history(
        {.url = {.endpoint = server.endpoint()}, .ca_file = ca_file},
        {.attempts = 1}, clock);
    return std::move(history.Ask({Query("a", 1)}, {})[0]);
  };
  auto trusted = ask(server.certificate_file());
  EXPECT_TRUE(trusted.ok()) << trusted.error().message();
  EXPECT_EQ(ask("").error().code(), ErrorCode::kPermissionDenied);
}

TEST(PrometheusHistory, SendsOnlyAFewRequestsAtOnce) {
  RangeServer server;
  FakeClock clock;
  server.WaitForCompany(3);
  PrometheusHistory history(server.place(), {.parallel = 3}, clock);
  std::vector<HistoryQuery> queries(9, Query("a", 1));
  for (const auto& answer : history.Ask(queries, {})) {
    EXPECT_TRUE(answer.ok());
  }
  EXPECT_EQ(server.most_at_once(), 3);
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
