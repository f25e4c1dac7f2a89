#include "agent/agent_routes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/fake_clock.h"

namespace mete {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class AgentRoutesTest : public testing::Test {
 protected:
  HttpResponse Get(const std::string& target, HttpFields fields = {}) {
    return Ask("GET", target, std::move(fields));
  }
  HttpResponse Ask(const std::string& method, const std::string& target,
                   HttpFields fields = {}) {
    return AnswerRequest(
        {.method = method, .target = target, .fields = std::move(fields)},
        snapshots_);
  }

  FakeClock clock_;
  Snapshots snapshots_{{}, {.report = [](const std::string&) {}}, clock_};
};

TEST_F(AgentRoutesTest, ServesTheMetricsInTheRequestedFormat) {
  HttpResponse plain = Get("/metrics");
  EXPECT_EQ(plain.status, 200);
  EXPECT_THAT(plain.fields["content-type"], StartsWith("text/plain"));
  EXPECT_THAT(plain.body, HasSubstr("mete_agent_snapshots_total 1\n"));
  HttpResponse open =
      Get("/metrics?x=1", {{"accept", "application/openmetrics-text"}});
  EXPECT_THAT(open.fields["content-type"],
              StartsWith("application/openmetrics-text"));
}

TEST_F(AgentRoutesTest, IsHealthyUnderBothNames) {
  EXPECT_EQ(Get("/healthz").body, "ok\n");
  EXPECT_EQ(Get("/-/healthy").body, "ok\n");
  EXPECT_EQ(Get("/-/healthy").status, 200);
}

TEST_F(AgentRoutesTest, TheFrontPageLinksToTheMetrics) {
  EXPECT_EQ(Get("/").status, 200);
  EXPECT_THAT(Get("/").body, HasSubstr("href=\"/metrics\""));
}

TEST_F(AgentRoutesTest, OtherPagesAreNotFound) {
  EXPECT_EQ(Get("/metric").status, 404);
  EXPECT_THAT(Get("/metric").body, HasSubstr("\"code\": \"not_found\""));
}

TEST_F(AgentRoutesTest, OnlyReadingIsAllowed) {
  EXPECT_EQ(Ask("HEAD", "/healthz").status, 200);
  HttpResponse refused = Ask("POST", "/metrics");
  EXPECT_EQ(refused.status, 405);
  EXPECT_EQ(refused.fields["allow"], "GET, HEAD");
}

}  // namespace
}  // namespace mete
