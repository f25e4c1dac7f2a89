// Over real sockets, with a server that answers as Prometheus does.
#include "adapters/prometheus/prometheus_nodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mutex>

#include "net/http_server.h"
#include "support/file.h"
#include "tests/fakes/canned_server.h"
#include "tests/fakes/fake_clock.h"

namespace mete {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;

std::string Vector(const std::string& results) {
  return R"({"status":"success","data":{"resultType":"vector","result":[)" +
         results + "]}}";
}

class PrometheusNodesTest : public testing::Test {
 protected:
  void Serve() {
    auto server = HttpServer::Start(
        {.listen = {.socket = (folder_.path() / "s").string()}},
        [this](const HttpRequest& request) { return Answer(request); });
    ASSERT_TRUE(server.ok());
    server_ = *std::move(server);
  }

  HttpReply Answer(const HttpRequest& request) {
    std::lock_guard lock(mutex_);
    last_ = request;
    std::string query = ParseQuery(SplitTarget(request.target).query)["query"];
    queries_.push_back(query);
    HttpReply reply;
    reply.response.status = 200;
    if (query == refused_ || refused_ == "all") {
      reply.response.status = 503;
      reply.response.body = R"({"status":"error","error":"too busy"})";
    } else if (query.starts_with("1 - avg")) {
      reply.response.body =
          Vector(R"({"metric":{"instance":"a"},"value":[1,"0.5"]})");
    } else if (query.starts_with("{")) {
      reply.response.body =
          Vector(R"({"metric":{"__name__":"mete_device_cores","node":"a"},)"
                 R"("value":[1,"4"]})");
    } else {
      reply.response.body = Vector("");
    }
    return reply;
  }

  Result<std::shared_ptr<const NodeSnapshot>> Ask(PrometheusPlace place = {}) {
    if (server_ != nullptr) place.url.endpoint = server_->endpoint();
    return PrometheusNodes(std::move(place), {.deadline = milliseconds(300)},
                           clock_)
        .Nodes();
  }

  ScratchFolder folder_ = *ScratchFolder::Create();
  FakeClock clock_;
  std::mutex mutex_;
  std::vector<std::string> queries_;
  std::string refused_;
  HttpRequest last_;
  std::unique_ptr<HttpServer> server_;
};

TEST_F(PrometheusNodesTest, AsksForFactsAndLoad) {
  Serve();
  auto snapshot = Ask({.url = {.path = "/prom"}});
  ASSERT_TRUE(snapshot.ok()) << snapshot.error().message();
  ASSERT_EQ((*snapshot)->nodes.size(), 1u);
  EXPECT_EQ((*snapshot)->nodes[0].load, 0.5);
  EXPECT_EQ((*snapshot)->taken_at, clock_.Wall());
  EXPECT_THAT(last_.target, HasSubstr("/prom/api/v1/query?query="));
}

// PEPPER's query averaged over all modes.
TEST_F(PrometheusNodesTest, ComputesLoadFromIdleTime) {
  Serve();
  ASSERT_TRUE(Ask().ok());
  EXPECT_THAT(queries_, testing::Contains(
                            "1 - avg by (instance, node) (rate("
                            "node_cpu_seconds_total{mode=\"idle\"}[60s]))"));
}

TEST_F(PrometheusNodesTest, ReportsTheReasonOfARejectedLoadQuery) {
  Serve();
  refused_ = "all";
  EXPECT_THAT(Ask().error().message(), HasSubstr("too busy"));
  EXPECT_EQ(Ask().error().code(), ErrorCode::kUnavailable);
}

TEST_F(PrometheusNodesTest, SendsItsCredentials) {
  Serve();
  auto file = folder_.path() / "secret";
  ASSERT_TRUE(WriteFileAtomically(file, "hush\n").ok());
  ASSERT_TRUE(Ask({.bearer_token_file = file}).ok());
  EXPECT_EQ(last_.fields.at("authorization"), "Bearer hush");
  ASSERT_TRUE(Ask({.username = "me", .password_file = file}).ok());
  EXPECT_EQ(last_.fields.at("authorization"), "Basic bWU6aHVzaA==");
  EXPECT_EQ(Ask({.bearer_token_file = folder_.path() / "none"}).error().code(),
            ErrorCode::kNotFound);
}

TEST_F(PrometheusNodesTest, WaitsForASilentServerOnlyUntilTheDeadline) {
  CannedServer silent({.pieces = {}, .hang = true});
  auto start = std::chrono::steady_clock::now();
  auto snapshot = Ask({.url = {.endpoint = silent.endpoint()}});
  EXPECT_EQ(snapshot.error().code(), ErrorCode::kTimeout);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST_F(PrometheusNodesTest, IsUnavailableWhenNothingListens) {
  EXPECT_EQ(
      Ask({.url = {.endpoint = {.socket = "/nonexistent/s"}}}).error().code(),
      ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace mete
