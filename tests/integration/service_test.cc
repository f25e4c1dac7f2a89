// Tests `mete service` of the real program: every route, and its end under
// load.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "net/http_client.h"
#include "support/file.h"
#include "support/json.h"
#include "tests/fakes/raw_caller.h"
#include "tests/integration/mete_program.h"
#include "tests/integration/until.h"

namespace mete {
namespace {

using testing::HasSubstr;

class ServiceTest : public testing::Test {
 protected:
  // Returns when the service says that it is ready.
  std::unique_ptr<MeteProgram> Serve(const std::string& application,
                                     std::vector<std::string> flags = {}) {
    flags.insert(flags.begin(), {"service", application, "--listen",
                                 "127.0.0.1:0", "--port-file", port_file_});
    auto program = std::make_unique<MeteProgram>(folder_.path() / "store.db",
                                                 std::move(flags));
    EXPECT_TRUE(Until([&] { return std::filesystem::exists(port_file_); }));
    endpoint_ = {
        .host = "127.0.0.1",
        .port = static_cast<uint16_t>(std::stoi(ReadFile(port_file_).value()))};
    return program;
  }

  HttpResponse Ask(const std::string& method, const std::string& target,
                   const std::string& body = "") {
    auto response = HttpClient(endpoint_).Send(
        {.method = method, .target = target, .fields = {}, .body = body});
    EXPECT_TRUE(response.ok()) << response.error().message();
    return response.ok() ? *response : HttpResponse{};
  }
  Json AskJson(const std::string& method, const std::string& target,
               const std::string& body = "") {
    return ParseJson(Ask(method, target, body).body).value();
  }

  ScratchFolder folder_ = *ScratchFolder::Create();
  std::string port_file_ = (folder_.path() / "port").string();
  Endpoint endpoint_;
};

// The value of the first sample whose line contains the text; 0 without one.
double ReadMetric(const std::string& page, const std::string& text) {
  const size_t at = page.find(text);
  if (at == std::string::npos) return 0;
  return std::stod(page.substr(page.find("} ", at) + 2));
}

TEST_F(ServiceTest, AnswersAllRoutesAndEndsWithSuccess) {
  auto program = Serve("mlp");
  EXPECT_EQ(Ask("GET", "/v2/health/live").status, 200);
  EXPECT_EQ(Ask("GET", "/v2/health/ready").status, 200);
  EXPECT_EQ(AskJson("GET", "/v2")["name"], "mete");
  EXPECT_EQ(AskJson("GET", "/v2/models/mlp")["inputs"][0]["shape"],
            Json({-1, 784}));

  const Json served = AskJson("POST", "/request-static", R"({"batch_size":2})");
  EXPECT_EQ(served["batch_size"], 2);
  EXPECT_GT(served["service_time"], 0.0);

  Json numbers = std::vector<int>(784, 1);
  Json request;
  request["inputs"] = Json::array({{{"name", "input"},
                                    {"shape", {1, 784}},
                                    {"datatype", "FP32"},
                                    {"data", numbers}}});
  const Json outputs = AskJson("POST", "/v2/models/mlp/infer", request.dump());
  EXPECT_EQ(outputs["outputs"][0]["shape"], Json({1, 10}));
  EXPECT_EQ(outputs["outputs"][0]["data"].size(), 10u);

  const Json times = AskJson("GET", "/service-times");
  EXPECT_EQ(times["service_times"].size(), 2u);
  EXPECT_EQ(times["service_times"][0], served["service_time"]);
  EXPECT_THAT(Ask("GET", "/metrics").body,
              HasSubstr("outcome=\"served\"} 2\n"));
  EXPECT_EQ(AskJson("POST", "/flush")["flushed"], 2);
  EXPECT_EQ(program->End(SIGTERM), 0);
  EXPECT_FALSE(std::filesystem::exists(port_file_));
}

TEST_F(ServiceTest, AnswersNoWebPageThatRebindsItsName) {
  auto program = Serve("mlp");
  auto response =
      HttpClient(endpoint_).Send({.method = "POST",
                                  .target = "/request-static",
                                  .fields = {{"host", "evil.example"}}});
  ASSERT_TRUE(response.ok()) << response.error().message();
  EXPECT_EQ(response->status, 403);
  response = HttpClient(endpoint_).Send(
      {.method = "POST",
       .target = "/flush",
       .fields = {{"origin", "http://evil.example"}}});
  ASSERT_TRUE(response.ok()) << response.error().message();
  EXPECT_EQ(response->status, 403);
  EXPECT_EQ(program->End(SIGTERM), 0);
}

TEST_F(ServiceTest, ServesManyRequestsOnOneConnection) {
  auto program = Serve("mlp");
  RawCaller caller(endpoint_);
  const std::string one =
      "POST /request-static HTTP/1.1\r\nHost: localhost\r\n\r\n";
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(caller.Send(one));
  caller.Send(
      "GET /service-times HTTP/1.1\r\nHost: localhost\r\nConnection: "
      "close\r\n\r\n");
  const std::string all = caller.ReadAll();
  const Json times = ParseJson(all.substr(all.rfind("{\"uid\""))).value();
  EXPECT_EQ(times["service_times"].size(), 200u);
  EXPECT_EQ(program->End(SIGTERM), 0);
}

// Requests that the service has accepted are answered, although other clients
// never stop asking.
TEST_F(ServiceTest, LosesNoAcceptedRequestWhenItIsStoppedUnderLoad) {
  auto program = Serve("text-bert-small", {"--drain", "10m"});
  std::vector<std::unique_ptr<RawCaller>> callers;
  for (int i = 0; i < 30; ++i) {
    callers.push_back(std::make_unique<RawCaller>(endpoint_));
    callers.back()->Send(
        "POST /request-static HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
        "17\r\n"
        "\r\n{\"batch_size\":16}");
  }
  // One runs; the others wait or are served.
  ASSERT_TRUE(Until([&] {
    const std::string page = Ask("GET", "/metrics").body;
    return ReadMetric(page, "mete_service_queue_length{") +
               ReadMetric(page, "outcome=\"served\"") >=
           29;
  }));
  std::vector<std::jthread> others;
  for (int i = 0; i < 4; ++i) {
    others.emplace_back([endpoint = endpoint_] {
      const HttpRequest request{.method = "POST", .target = "/request-static"};
      while (HttpClient(endpoint).Send(request).ok()) {
      }
    });
  }
  EXPECT_EQ(program->End(SIGTERM), 0);
  for (auto& caller : callers) {
    EXPECT_THAT(caller->ReadAll(), HasSubstr("HTTP/1.1 200 OK"));
  }
}

TEST_F(ServiceTest, RefusesWhatTheQueueCannotHold) {
  auto program = Serve("text-bert-small", {"--queue", "1"});
  std::vector<std::unique_ptr<RawCaller>> callers;
  for (int i = 0; i < 8; ++i) {
    callers.push_back(std::make_unique<RawCaller>(endpoint_));
    callers.back()->Send(
        "POST /request-static HTTP/1.1\r\nHost: localhost\r\nConnection: "
        "close\r\n"
        "\r\n");
  }
  int refused = 0;
  for (auto& caller : callers) {
    const std::string answer = caller->ReadAll();
    if (answer.find("HTTP/1.1 503") == std::string::npos) continue;
    ++refused;
    EXPECT_THAT(answer, HasSubstr("retry-after: "));
    EXPECT_THAT(answer, HasSubstr("the queue is full"));
  }
  EXPECT_GT(refused, 0);
  EXPECT_EQ(program->End(SIGTERM), 0);
}

TEST_F(ServiceTest, APortInUseIsAnError) {
  auto program = Serve("mlp");
  MeteProgram second(folder_.path() / "store.db",
                     {"service", "mlp", "--listen", endpoint_.Authority()});
  EXPECT_EQ(second.Wait(), 1);
  EXPECT_EQ(program->End(SIGTERM), 0);
}

}  // namespace
}  // namespace mete
