// Tests the server over sockets: TLS, headers, and what reaches the routes.
#include "serve/server.h"

#include <gtest/gtest.h>

#include "net/http_client.h"
#include "support/file.h"
#include "tests/fakes/any_graph_reader.h"
#include "tests/fakes/certificates.h"
#include "tests/fakes/fixed_nodes.h"
#include "tests/fakes/memory_job_store.h"
#include "tests/fakes/memory_run_store.h"

namespace mete {
namespace {

class ServerTest : public testing::Test {
 protected:
  void Start(ServerSettings settings = {}) {
    settings.listen = {.host = "127.0.0.1"};
    settings.uploads.folder = folder_.path();
    auto server = Server::Start(
        settings,
        {.queue = {.jobs = jobs_, .clock = clock_, .device_id = "device"},
         .runs = runs_,
         .nodes = nodes_,
         .reader = reader_,
         .read_predictors = []() -> Result<PredictorSet> {
           return Unavailable("none here");
         },
         .draw_entropy = [] { return RunEntropy{}; }});
    ASSERT_TRUE(server.ok()) << server.error().message();
    server_ = *std::move(server);
  }
  std::shared_ptr<WebGuard> Web(const std::string& more) {
    identity_.WriteCertificate(folder_.path() / "a.crt");
    identity_.WriteKey(folder_.path() / "a.key");
    const auto file = folder_.path() / "web.yml";
    EXPECT_TRUE(
        WriteFileAtomically(
            file,
            "tls_server_config: {cert_file: a.crt, key_file: a.key" + more)
            .ok());
    auto opened = WebGuard::Open({.file = file}, clock_);
    EXPECT_TRUE(opened.ok()) << opened.error().message();
    return *std::move(opened);
  }
  Result<HttpResponse> Ask(const HttpRequest& request) {
    return HttpClient(server_->endpoint(),
                      {.ca_file = (folder_.path() / "a.crt").string()})
        .Send(request);
  }

  ScratchFolder folder_ = *ScratchFolder::Create();
  Identity identity_{"IP:127.0.0.1"};
  SystemClock clock_;
  MemoryJobStore jobs_;
  MemoryRunStore runs_;
  FixedNodes nodes_;
  AnyGraphReader reader_;
  std::unique_ptr<Server> server_;
};

TEST_F(ServerTest, ServesOverTlsWithTheConfiguredHeaders) {
  Start({.web = Web("}\nhttp_server_config: {headers: "
                    "{X-Frame-Options: deny}}\n")});
  EXPECT_TRUE(server_->endpoint().tls);
  auto answer = Ask({.target = "/healthz"});
  ASSERT_TRUE(answer.ok()) << answer.error().message();
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(answer->fields.at("x-frame-options"), "deny");
}

TEST_F(ServerTest, AnAddressThatAsksTooOftenMustWait) {
  Start({.rate = {.per_second = 0.01, .burst = 2}});
  EXPECT_EQ(Ask({.target = "/metrics"})->status, 200);
  EXPECT_EQ(Ask({.target = "/metrics"})->status, 200);
  auto refused = Ask({.target = "/metrics"});
  ASSERT_TRUE(refused.ok()) << refused.error().message();
  EXPECT_EQ(refused->status, 429);
  EXPECT_EQ(refused->fields.at("retry-after"), "100");
  EXPECT_EQ(Ask({.target = "/healthz"})->status, 200);
}

TEST_F(ServerTest, APageThatRebindsItsNameIsRefused) {
  Start({.hosts = {"mete.example"}});
  const std::string port = std::to_string(server_->endpoint().port);
  auto status = [&](const std::string& target, const std::string& host) {
    return Ask({.target = target, .fields = {{"host", host}}})->status;
  };
  for (const char* target : {"/metrics", "/healthz", "/openapi.json"}) {
    EXPECT_EQ(status(target, "rebind.example:" + port), 403) << target;
    EXPECT_EQ(status(target, "localhost:" + port), 200) << target;
    EXPECT_EQ(status(target, "mete.example"), 200) << target;
  }
}

TEST_F(ServerTest, AClientWithoutTheRequiredCertificateGetsNoAnswer) {
  Start({.web = Web(", client_ca_file: a.crt, "
                    "client_auth_type: RequireAndVerifyClientCert}\n")});
  EXPECT_FALSE(Ask({.target = "/healthz"}).ok());
}

}  // namespace
}  // namespace mete
