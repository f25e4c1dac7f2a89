// How the client proves who it is, and whom it trusts, against a real server.
#include <gtest/gtest.h>

#include "net/http_client.h"
#include "net/http_server.h"
#include "support/file.h"
#include "tests/fakes/certificates.h"

namespace mete {
namespace {

class HttpClientTlsTest : public testing::Test {
 protected:
  void SetUp() override {
    server_identity_.WriteCertificate(File("server.pem"));
    server_identity_.WriteKey(File("server.key"));
    ca_.WriteCertificate(File("ca.pem"));
    client_.WriteCertificate(File("client.pem"));
    client_.WriteKey(File("client.key"));
    auto started = HttpServer::Start(
        {.listen = {.host = "127.0.0.1"},
         .tls = HttpServerTls{.cert_file = File("server.pem"),
                              .key_file = File("server.key"),
                              .client_ca_file = File("ca.pem"),
                              .client_auth = TlsClientAuth::kRequireAndVerify}},
        [](const HttpRequest&) {
          return HttpReply{.response = {.status = 200, .body = "hello"}};
        });
    ASSERT_TRUE(started.ok()) << started.error().message();
    server_ = *std::move(started);
  }

  std::string File(const std::string& name) {
    return (folder_.path() / name).string();
  }
  std::string Text(const std::string& name) { return *ReadFile(File(name)); }
  HttpTrust Trust() {
    return {.ca_file = "",
            .ca_pem = Text("server.pem"),
            .certificate_pem = Text("client.pem"),
            .key_pem = Text("client.key"),
            .server_name = "api.example"};
  }
  Result<HttpResponse> Ask(HttpTrust trust) {
    return HttpClient(server_->endpoint(), std::move(trust)).Send({});
  }

  ScratchFolder folder_ = *ScratchFolder::Create();
  Identity server_identity_{"DNS:api.example"};
  Identity ca_{"DNS:ca.example"};
  Identity client_{"DNS:client.example", &ca_};
  std::unique_ptr<HttpServer> server_;
};

TEST_F(HttpClientTlsTest, ProvesItsIdentityWithACertificate) {
  auto response = Ask(Trust());
  ASSERT_TRUE(response.ok()) << response.error().message();
  EXPECT_EQ(response->body, "hello");
}

TEST_F(HttpClientTlsTest, IsRejectedWithoutACertificate) {
  HttpTrust trust = Trust();
  trust.certificate_pem = "";
  EXPECT_FALSE(Ask(trust).ok());
}

TEST_F(HttpClientTlsTest, VerifiesTheGivenName) {
  HttpTrust trust = Trust();
  trust.server_name = "other.example";
  auto response = Ask(trust);
  ASSERT_FALSE(response.ok());
  EXPECT_EQ(response.error().code(), ErrorCode::kPermissionDenied);
}

TEST_F(HttpClientTlsTest, AcceptsAnyServerOnlyIfAskedTo) {
  HttpTrust trust = Trust();
  trust.ca_pem = "";
  EXPECT_FALSE(Ask(trust).ok());
  trust.skip_verification = true;
  auto response = Ask(trust);
  EXPECT_TRUE(response.ok()) << response.error().message();
}

TEST_F(HttpClientTlsTest, AKeyThatDoesNotFitIsAnError) {
  HttpTrust trust = Trust();
  trust.key_pem = Text("server.key");
  auto response = Ask(trust);
  ASSERT_FALSE(response.ok());
  EXPECT_NE(response.error().message().find("use our certificate"),
            std::string::npos)
      << response.error().message();
}

}  // namespace
}  // namespace mete
