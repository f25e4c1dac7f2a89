#include "adapters/prometheus/prometheus_series.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "net/http_server.h"

namespace mete {
namespace {

using testing::HasSubstr;

TEST(PrometheusSeries, SendsOneQueryEachAndReportsFailuresSeparately) {
  auto server = *HttpServer::Start(
      {.listen = {.host = "127.0.0.1"}},
      [](const HttpRequest& request) -> HttpReply {
        if (request.target.find("bad") != std::string::npos) {
          return {{.status = 400,
                   .body = R"({"status":"error","errorType":"bad_data",)"
                           R"("error":"parse error"})"}};
        }
        return {{.status = 200,
                 .body = R"({"status":"success","data":{"resultType":"vector",)"
                         R"("result":[{"metric":{"__name__":"up","a":"b"},)"
                         R"("value":[1,"0.5"]}]}})"}};
      });
  PrometheusSeries series("p", {.url = {.endpoint = server->endpoint()}});
  auto answers = series.Ask({"up", "bad("}, {});
  ASSERT_EQ(answers.size(), 2);
  ASSERT_TRUE(answers[0].ok()) << answers[0].error().message();
  EXPECT_EQ(answers[0]->at(0).value, 0.5);
  EXPECT_EQ(answers[0]->at(0).labels.at("a"), "b");
  ASSERT_FALSE(answers[1].ok());
  EXPECT_THAT(answers[1].error().message(), HasSubstr("parse error"));
}

}  // namespace
}  // namespace mete
