#include "adapters/exporters/agent_series.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "net/http_server.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/tls_server.h"

namespace mete {
namespace {

using testing::HasSubstr;

// An exporter on a real socket.
class AgentSeriesTest : public testing::Test {
 protected:
  std::unique_ptr<AgentSeries> Open(const std::string& url) {
    return std::move(*AgentSeries::Open(url, clock_));
  }
  std::unique_ptr<AgentSeries> Agent(const std::string& path = "") {
    return Open("http://" + server_->endpoint().Authority() + path);
  }

  FakeClock clock_;
  HttpResponse answer_{.status = 200};
  std::string asked_;
  std::string authorization_;
  std::unique_ptr<HttpServer> server_ = *HttpServer::Start(
      {.listen = {.host = "127.0.0.1"}}, [this](const HttpRequest& request) {
        asked_ = request.target;
        auto login = request.fields.find("authorization");
        authorization_ = login == request.fields.end() ? "" : login->second;
        return HttpReply{answer_};
      });
};

TEST_F(AgentSeriesTest, AnswersEverySelectorFromOnePage) {
  answer_.body = "a{x=\"1\"} 1\na{x=\"2\"} 2\nb 3\nc NaN\n";
  auto answers = Agent()->Ask({"a{x=\"2\"}", "b", "c", "d"}, {});
  ASSERT_EQ(answers.size(), 4);
  ASSERT_EQ(answers[0]->size(), 1);
  EXPECT_EQ(answers[0]->at(0).value, 2);
  EXPECT_EQ(answers[0]->at(0).labels.at("__name__"), "a");
  EXPECT_EQ(answers[1]->at(0).value, 3);
  EXPECT_TRUE(answers[2]->empty());
  EXPECT_TRUE(answers[3]->empty());
  EXPECT_EQ(asked_, "/metrics");
}

TEST_F(AgentSeriesTest, RequestsTheGivenPage) {
  Agent("/other")->Ask({"a"}, {});
  EXPECT_EQ(asked_, "/other");
}

TEST_F(AgentSeriesTest, ReportsTheAgeOfValuesWithTimestamps) {
  auto now = std::chrono::duration_cast<std::chrono::milliseconds>(
      clock_.Wall().time_since_epoch());
  answer_.body = fmt::format("a 1 {}\nb 1\n", now.count() - 2500);
  auto answers = Agent()->Ask({"a", "b"}, {});
  EXPECT_NEAR(answers[0]->at(0).age.count(), 2.5, 1e-3);
  EXPECT_EQ(answers[1]->at(0).age, Seconds(0));
}

TEST_F(AgentSeriesTest, AnAbsurdTimestampIsVeryOldOrNew) {
  answer_.body =
      fmt::format("a 1 {}\nb 1 {}\n", std::numeric_limits<int64_t>::min(),
                  std::numeric_limits<int64_t>::max());
  auto answers = Agent()->Ask({"a", "b"}, {});
  EXPECT_GT(answers[0]->at(0).age, Seconds(1e12));
  EXPECT_EQ(answers[1]->at(0).age, Seconds(0));
}

TEST_F(AgentSeriesTest, FailsForAllWhenItDoesNotAnswer) {
  answer_.status = 503;
  auto answers = Agent()->Ask({"a", "b"}, {});
  ASSERT_EQ(answers.size(), 2);
  EXPECT_THAT(answers[1].error().message(), HasSubstr("status 503"));
  EXPECT_EQ(Open("http://127.0.0.1:1")->Ask({"a"}, {})[0].error().code(),
            ErrorCode::kUnavailable);
}

TEST_F(AgentSeriesTest, SendsCredentialsButDoesNotShowThem) {
  const std::string server = server_->endpoint().Authority();
  auto agent = Open("http://me:hush@" + server);
  agent->Ask({"a"}, {});
  EXPECT_EQ(authorization_, "Basic bWU6aHVzaA==");
  EXPECT_EQ(agent->name(), "http://" + server);
  Agent()->Ask({"a"}, {});
  EXPECT_EQ(authorization_, "");
}

TEST_F(AgentSeriesTest, TrustsTheSystemsCertificates) {
  TlsServer server("IP:127.0.0.1",
                   "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\na 1\n");
  const std::string url = "https://" + server.endpoint().Authority();
  EXPECT_EQ(Open(url)->Ask({"a"}, {})[0].error().code(),
            ErrorCode::kPermissionDenied);
  setenv("SSL_CERT_FILE", server.certificate_file().c_str(), 1);
  auto answer = Open(url)->Ask({"a"}, {})[0];
  unsetenv("SSL_CERT_FILE");
  ASSERT_TRUE(answer.ok()) << answer.error().message();
  EXPECT_EQ(answer->at(0).value, 1);
}

TEST_F(AgentSeriesTest, RejectsWhatOnlyPrometheusUnderstands) {
  EXPECT_TRUE(Agent()->Check("a{b=~\"c\"}").ok());
  EXPECT_FALSE(Agent()->Check("rate(a[1m])").ok());
}

}  // namespace
}  // namespace mete
