#include "web/web_guard.h"

#include <gtest/gtest.h>

#include "net/http_client.h"
#include "support/base64.h"
#include "support/file.h"
#include "tests/fakes/certificates.h"
#include "tests/fakes/fake_clock.h"

namespace mete {
namespace {

// bcrypt of "secret" at the minimum cost.
constexpr const char* kGuardHash =
    "$2y$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW";

class WebGuardTest : public testing::Test {
 protected:
  void Write(const std::string& text) {
    ASSERT_TRUE(WriteFileAtomically(file_, text).ok());
  }
  void Open() {
    auto opened = WebGuard::Open(
        {.file = file_,
         .warn =
             [this](const std::string& text) { warnings_.push_back(text); }},
        clock_);
    ASSERT_TRUE(opened.ok()) << opened.error().message();
    guard_ = *std::move(opened);
  }
  static HttpReply Page(const HttpRequest&) {
    return {.response = {.status = 200, .body = "page"}};
  }
  static HttpFields As(const std::string& pair) {
    return {{"authorization", "Basic " + EncodeBase64(pair)}};
  }
  HttpResponse Ask(HttpFields fields = {}) {
    return guard_->Answer({.fields = std::move(fields)}, &Page).response;
  }

  ScratchFolder folder_ = *ScratchFolder::Create();
  std::filesystem::path file_ = folder_.path() / "web.yml";
  FakeClock clock_;
  std::vector<std::string> warnings_;
  std::unique_ptr<WebGuard> guard_;
};

TEST_F(WebGuardTest, OnlyUsersCanReadThePage) {
  Write("basic_auth_users: {ann: " + std::string(kGuardHash) + "}\n");
  Open();
  EXPECT_EQ(Ask().status, 401);
  EXPECT_EQ(Ask(As("ann:secret")).body, "page");
  EXPECT_FALSE(guard_->tls());
}

TEST_F(WebGuardTest, UsersAreRefusedWhereTheyAreNotSupported) {
  Write("basic_auth_users: {ann: " + std::string(kGuardHash) + "}\n");
  auto opened = WebGuard::Open(
      {.file = file_, .no_users = "use a token instead"}, clock_);
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().message(),
            file_.string() + ": basic_auth_users: use a token instead");
}

TEST_F(WebGuardTest, OnlyVerifiedCertificatesKeepStrangersOut) {
  Identity identity("IP:127.0.0.1");
  identity.WriteCertificate(folder_.path() / "a.crt");
  identity.WriteKey(folder_.path() / "a.key");
  const std::string tls =
      "tls_server_config: {cert_file: a.crt, key_file: a.key, "
      "client_ca_file: a.crt, client_auth_type: ";
  for (const char* lax : {"VerifyClientCertIfGiven", "RequestClientCert"}) {
    Write(tls + lax + "}\n");
    Open();
    EXPECT_FALSE(guard_->requires_certificates()) << lax;
  }
  Write(tls + "RequireAndVerifyClientCert}\n");
  Open();
  EXPECT_TRUE(guard_->requires_certificates());
}

TEST_F(WebGuardTest, EveryResponseHasTheHeaders) {
  Write(
      "http_server_config: {headers: {X-Frame-Options: deny}}\n"
      "basic_auth_users: {ann: " +
      std::string(kGuardHash) + "}\n");
  Open();
  EXPECT_EQ(Ask().fields.at("x-frame-options"), "deny");
  EXPECT_EQ(Ask(As("ann:secret")).fields.at("x-frame-options"), "deny");
}

TEST_F(WebGuardTest, ANewFileTakesEffectWithinASecond) {
  Write("");
  Open();
  EXPECT_EQ(Ask().status, 200);
  Write("basic_auth_users: {ann: " + std::string(kGuardHash) + "}\n");
  clock_.Advance(std::chrono::milliseconds(999));
  EXPECT_EQ(Ask().status, 200);
  clock_.Advance(std::chrono::milliseconds(1));
  EXPECT_EQ(Ask().status, 401);
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(WebGuardTest, AnInvalidNewFileIsReportedOnceAndNotUsed) {
  Write("basic_auth_users: {ann: " + std::string(kGuardHash) + "}\n");
  Open();
  Write("basic_auth_users: {ann: x}\n");
  for (int i = 0; i < 3; ++i) {
    clock_.Advance(std::chrono::seconds(2));
    EXPECT_EQ(Ask().status, 401);
    EXPECT_EQ(Ask(As("ann:secret")).status, 200);
  }
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_NE(warnings_[0].find("web.yml:1: password of 'ann'"),
            std::string::npos)
      << warnings_[0];
}

// Editors truncate a file before they write it.
TEST_F(WebGuardTest, AnEmptiedFileKeepsTheRules) {
  Write("basic_auth_users: {ann: " + std::string(kGuardHash) + "}\n");
  Open();
  Write("\n");
  clock_.Advance(std::chrono::seconds(2));
  EXPECT_EQ(Ask().status, 401);
  EXPECT_EQ(warnings_.size(), 1u);
}

TEST_F(WebGuardTest, ADeletedFileKeepsTheRules) {
  Write("basic_auth_users: {ann: " + std::string(kGuardHash) + "}\n");
  Open();
  std::filesystem::remove(file_);
  clock_.Advance(std::chrono::seconds(2));
  EXPECT_EQ(Ask().status, 401);
  EXPECT_EQ(warnings_.size(), 1u);
}

TEST_F(WebGuardTest, ServesOverTlsWithItsRules) {
  Identity identity("IP:127.0.0.1");
  identity.WriteCertificate(folder_.path() / "a.crt");
  identity.WriteKey(folder_.path() / "a.key");
  const std::string tls =
      "tls_server_config: {cert_file: a.crt, key_file: a.key}\n";
  Write(tls + "basic_auth_users: {ann: " + std::string(kGuardHash) + "}\n");
  Open();
  auto server =
      HttpServer::Start({.listen = {.host = "127.0.0.1"}, .tls = guard_->tls()},
                        [&](const HttpRequest& request) {
                          return guard_->Answer(request, &Page);
                        });
  ASSERT_TRUE(server.ok()) << server.error().message();
  HttpClient client((*server)->endpoint(),
                    {.ca_file = (folder_.path() / "a.crt").string()});
  EXPECT_EQ(client.Send({})->status, 401);
  EXPECT_EQ(client.Send({.fields = As("ann:secret")})->body, "page");
  Write("basic_auth_users: {}\n");
  clock_.Advance(std::chrono::seconds(2));
  EXPECT_EQ(client.Send({})->status, 200);
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_EQ(warnings_[0],
            "tls_server_config has changed: it takes effect at the next start");
}

}  // namespace
}  // namespace mete
