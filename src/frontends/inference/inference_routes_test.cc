#include "inference/inference_routes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

#include "service/test_service.h"
#include "support/file.h"
#include "support/json.h"

namespace mete {
namespace {

using testing::HasSubstr;

class InferenceRoutesTest : public testing::Test {
 protected:
  explicit InferenceRoutesTest(ServiceRequest request = {.name = "my net"})
      : service_(test_.Open(std::move(request)).value()), routes_(*service_) {}

  HttpResponse Send(const std::string& method, const std::string& target,
                    const std::string& body = "") {
    // Shared, because the worker may still be leaving set_value.
    auto answered = std::make_shared<std::promise<HttpReply>>();
    const HttpRequest request{
        .method = method, .target = target, .fields = {}, .body = body};
    routes_.Handle(request, [answered](HttpReply reply) {
      answered->set_value(std::move(reply));
    });
    return answered->get_future().get().response;
  }
  Json SendJson(const std::string& method, const std::string& target,
                const std::string& body = "") {
    return ParseJson(Send(method, target, body).body).value();
  }

  TestService test_;
  std::unique_ptr<InferenceService> service_;
  InferenceRoutes routes_;
};

constexpr const char* kFourNumbers =
    R"({"inputs":[{"name":"input","shape":[1,4],"datatype":"FP32",)"
    R"("data":[1,2,3,4]}]})";

TEST_F(InferenceRoutesTest, AreThoseOfTheReferencePage) {
  const std::string page = ReadFile(METE_REFERENCE "/service.md").value();
  for (std::string route : routes_.Routes()) {
    if (size_t at = route.find("my%20net"); at != std::string::npos)
      route.replace(at, 8, "NAME");
    EXPECT_THAT(page, HasSubstr("`" + route + "`"));
  }
}

TEST_F(InferenceRoutesTest, RequestStaticReportsItsTimes) {
  const HttpResponse response =
      Send("POST", "/request-static", R"({"batch_size":3})");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.fields.at("server-timing"),
            "service;dur=10.000000, queue;dur=0.000000");
  const Json json = ParseJson(response.body).value();
  EXPECT_EQ(json["uid"], "1f");
  EXPECT_EQ(json["batch_size"], 3);
  EXPECT_DOUBLE_EQ(json["service_time"], 0.01);
  EXPECT_DOUBLE_EQ(json["queueing_time"], 0);
  EXPECT_EQ(json["queue_len"], 0);
}

TEST_F(InferenceRoutesTest, RequestStaticNeedsNoBody) {
  EXPECT_EQ(SendJson("POST", "/request-static")["batch_size"], 1);
  EXPECT_EQ(SendJson("POST", "/request-static", "{}")["batch_size"], 1);
}

TEST_F(InferenceRoutesTest, RequestStaticRejectsImpossibleBatches) {
  for (const char* body : {R"({"batch_size":0})", R"({"batch_size":65})",
                           R"({"batch_size":"3"})", R"([1])", R"({)"}) {
    EXPECT_EQ(Send("POST", "/request-static", body).status, 400) << body;
  }
}

TEST_F(InferenceRoutesTest, ServiceTimesHasOneEntryPerRequestUntilTheFlush) {
  test_.clock.Advance(std::chrono::seconds(5));
  Send("POST", "/request-static");
  test_.clock.Advance(std::chrono::seconds(1));
  Send("POST", "/request-static");
  const Json times = SendJson("GET", "/service-times");
  EXPECT_EQ(times["uid"], "1f");
  EXPECT_EQ(times["service_times"], Json({0.01, 0.01}));
  EXPECT_EQ(times["queueing_times"], Json({0.0, 0.0}));
  EXPECT_EQ(times["queue_lens"], Json({0, 0}));
  EXPECT_EQ(times["interarrival_times"], Json({nullptr, 1.01}));
  const double first = times["arrival_times"][0];
  // 5 s, the time to load and one inference after the fake clock's start.
  EXPECT_NEAR(first, 1714566600 + 5 + 0.03 + 0.01, 1e-5);
  EXPECT_NEAR(times["departure_times"][0], first + 0.01, 1e-5);
  EXPECT_EQ(SendJson("POST", "/flush")["flushed"], 2);
  EXPECT_EQ(SendJson("GET", "/service-times")["service_times"], Json::array());
}

// A hundred short requests must not keep the service busy for minutes.
TEST_F(InferenceRoutesTest, ServiceTimesAreWrittenForOneClientAtATime) {
  const HttpRequest request{.method = "GET", .target = "/service-times"};
  std::vector<int> statuses;
  routes_.Handle(request, [&](HttpReply) {
    routes_.Handle(request, [&](HttpReply reply) {
      statuses.push_back(reply.response.status);
    });
  });
  routes_.Handle(request, [&](HttpReply reply) {
    statuses.push_back(reply.response.status);
  });
  EXPECT_EQ(statuses, (std::vector<int>{503, 200}));
}

TEST_F(InferenceRoutesTest, InferReturnsTheOutputs) {
  for (const char* target : {"/infer", "/v2/models/my%20net/infer"}) {
    const HttpResponse response = Send("POST", target, kFourNumbers);
    EXPECT_EQ(response.status, 200) << response.body;
    const Json json = ParseJson(response.body).value();
    EXPECT_EQ(json["model_name"], "my net");
    EXPECT_EQ(json["outputs"][0]["name"], "output");
    EXPECT_TRUE(response.fields.contains("server-timing"));
  }
}

TEST_F(InferenceRoutesTest, InferRejectsInputsTheNetworkDoesNotTake) {
  EXPECT_EQ(Send("POST", "/infer", "{").status, 400);
  EXPECT_EQ(Send("POST", "/infer", R"({"inputs":[]})").status, 400);
  const HttpResponse wrong =
      Send("POST", "/infer",
           R"({"inputs":[{"name":"input","shape":[1],"datatype":"INT64",)"
           R"("data":[1]}]})");
  EXPECT_EQ(wrong.status, 400);
  EXPECT_THAT(wrong.body, HasSubstr("another type"));
}

TEST_F(InferenceRoutesTest, DescribesTheNetworkWithOpenSizesAsMinusOne) {
  const Json json = SendJson("GET", "/v2/models/my%20net");
  EXPECT_EQ(json["inputs"][0]["name"], "input");
  EXPECT_EQ(json["inputs"][0]["datatype"], "FP32");
  EXPECT_EQ(json["inputs"][0]["shape"], Json({-1, 4}));
}

TEST_F(InferenceRoutesTest, IsLiveButNotReadyWhileItShutsDown) {
  EXPECT_EQ(Send("GET", "/v2/health/ready").status, 200);
  EXPECT_EQ(Send("GET", "/v2/models/my%20net/ready").status, 200);
  service_->Close();
  EXPECT_EQ(Send("GET", "/v2/health/ready").status, 503);
  EXPECT_EQ(Send("GET", "/v2/models/my%20net/ready").status, 503);
  EXPECT_EQ(Send("GET", "/v2/health/live").status, 200);
  const HttpResponse refused = Send("POST", "/request-static");
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(refused.fields.at("retry-after"), "1");
}

TEST_F(InferenceRoutesTest, CountsRequestsInItsMetrics) {
  Send("POST", "/request-static");
  const HttpResponse response = Send("GET", "/metrics");
  EXPECT_EQ(response.fields.at("content-type"), "text/plain; version=0.0.4");
  EXPECT_THAT(response.body,
              HasSubstr("mete_service_requests_total{network=\"my net\","
                        "outcome=\"served\"} 1\n"));
  EXPECT_THAT(response.body,
              HasSubstr("mete_service_duration_seconds_bucket{network=\"my "
                        "net\",le=\"0.01\"} 1\n"));
  EXPECT_THAT(response.body,
              HasSubstr("mete_service_duration_seconds_bucket{network=\"my "
                        "net\",le=\"0.003\"} 0\n"));
}

TEST_F(InferenceRoutesTest, NamesUnknownPathsAndAllowedMethods) {
  EXPECT_EQ(Send("GET", "/nothing").status, 404);
  const HttpResponse wrong = Send("GET", "/infer");
  EXPECT_EQ(wrong.status, 405);
  EXPECT_EQ(wrong.fields.at("allow"), "POST");
}

}  // namespace
}  // namespace mete
