// Tests the HTTP API of the real program: a job from submission to end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <thread>

#include "net/http_client.h"
#include "support/file.h"
#include "support/json.h"
#include "tests/integration/mete_program.h"
#include "tests/integration/until.h"

namespace mete {
namespace {

class ServeTest : public testing::Test {
 protected:
  void SetUp() override {
    setenv("METE_STATE", folder_.path().c_str(), 1);
    setenv("HOME", folder_.path().c_str(), 1);
  }

  std::unique_ptr<MeteProgram> Serve(std::vector<std::string> flags = {}) {
    flags.insert(flags.begin(), {"serve", "--listen", "unix://" + socket_});
    auto program = std::make_unique<MeteProgram>(folder_.path() / "store.db",
                                                 std::move(flags));
    EXPECT_TRUE(Until([&] { return Ask("GET", "/healthz").status == 200; }));
    return program;
  }

  HttpResponse Ask(const std::string& method, const std::string& target,
                   const std::string& body = "") {
    auto response = HttpClient({.socket = socket_})
                        .Send({.method = method,
                               .target = target,
                               .fields = {{"content-type", "application/json"}},
                               .body = body});
    return response.ok() ? *response : HttpResponse{};
  }

  std::string Submit(const std::string& shell) {
    Json body = {{"application", {{"command", {"sh", "-c", shell}}}}};
    HttpResponse made = Ask("POST", "/api/v1/jobs", body.dump());
    EXPECT_EQ(made.status, 201) << made.body;
    return ParseJson(made.body)->at("job_id");
  }

  std::string GetState(const std::string& id) {
    auto json = ParseJson(Ask("GET", "/api/v1/jobs/" + id).body);
    return json.ok() ? json->value("state", "") : "";
  }

  ScratchFolder folder_ = *ScratchFolder::Create();
  std::string socket_ = (folder_.path() / "s").string();
};

TEST_F(ServeTest, RunsAJobAndStreamsItsOutput) {
  auto server = Serve();
  std::string mark = (folder_.path() / "mark").string();
  // The job ends only after its first line has arrived here.
  std::string id = Submit("echo first; until [ -e " + mark +
                          " ]; do sleep 0.05; done; echo second");
  std::string seen;
  auto ended = HttpClient({.socket = socket_})
                   .Stream({.target = "/api/v1/jobs/" + id + "/logs"},
                           [&](std::string_view piece) {
                             seen += piece;
                             if (seen.find("first") != std::string::npos) {
                               EXPECT_TRUE(WriteFileAtomically(mark, "").ok());
                             }
                             return true;
                           });
  ASSERT_TRUE(ended.ok()) << ended.error().message();
  EXPECT_EQ(seen,
            "id: 6\ndata: first\n\nid: 13\ndata: second\n\n"
            "event: end\ndata: {\"state\":\"completed\"}\n\n");
  EXPECT_EQ(server->End(SIGINT), 0);
}

TEST_F(ServeTest, CancelsARunningJob) {
  auto server = Serve();
  std::string id = Submit("sleep 600");
  ASSERT_TRUE(Until([&] { return GetState(id) == "running"; }));
  EXPECT_EQ(Ask("DELETE", "/api/v1/jobs/" + id).status, 200);
  EXPECT_TRUE(Until([&] { return GetState(id) == "cancelled"; }));
}

TEST_F(ServeTest, AJobOfAKilledServerIsInterruptedAndResumed) {
  auto server = Serve();
  std::string mark = (folder_.path() / "mark").string();
  std::string id = Submit("[ -e " + mark + " ] || sleep 600");
  ASSERT_TRUE(Until([&] { return GetState(id) == "running"; }));
  server->End(SIGKILL);
  ASSERT_TRUE(WriteFileAtomically(mark, "").ok());
  server = Serve();
  ASSERT_TRUE(Until([&] { return GetState(id) == "interrupted"; }));
  EXPECT_EQ(Ask("POST", "/api/v1/jobs/" + id + "/resume").status, 200);
  EXPECT_TRUE(Until([&] { return GetState(id) == "completed"; }));
}

TEST_F(ServeTest, RequiresItsToken) {
  ASSERT_TRUE(WriteFileAtomically(folder_.path() / "token", "secret\n").ok());
  std::filesystem::permissions(folder_.path() / "token",
                               std::filesystem::perms::owner_read);
  auto server = Serve({"--token-file", (folder_.path() / "token").string()});
  EXPECT_EQ(Ask("GET", "/api/v1/jobs").status, 401);
  auto response = HttpClient({.socket = socket_})
                      .Send({.target = "/api/v1/jobs",
                             .fields = {{"authorization", "Bearer secret"}}});
  EXPECT_EQ(response->status, 200);
}

}  // namespace
}  // namespace mete
