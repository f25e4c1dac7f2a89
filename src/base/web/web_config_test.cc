#include "web/web_config.h"

#include <gtest/gtest.h>

#include "support/file.h"
#include "tests/fakes/certificates.h"

namespace mete {
namespace {

constexpr const char* kHash =
    "$2y$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW";

std::string ComplaintAbout(const std::string& text) {
  auto config = ParseWebConfig(text, "/etc/mete/web.yml");
  return config.ok() ? "" : config.error().message();
}

TEST(WebConfig, ReadsTheKeysOfTheToolkit) {
  auto config = ParseWebConfig(R"(
tls_server_config:
  cert_file: agent.crt
  key_file: /keys/agent.key
  client_auth_type: RequireAndVerifyClientCert
  client_ca_file: ca/clients.crt
  min_version: TLS13
  max_version: TLS13
  cipher_suites:
    - TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256
    - TLS_AES_128_GCM_SHA256
  prefer_server_cipher_suites: false
  curve_preferences: [CurveP256, X25519]
http_server_config:
  http2: false
  headers:
    X-Frame-Options: deny
    Strict-Transport-Security: max-age=31536000
    X-XSS-Protection: ""
basic_auth_users:
  ann: )" + std::string(kHash) + "\n",
                               "/etc/mete/web.yml");
  ASSERT_TRUE(config.ok()) << config.error().message();
  ASSERT_TRUE(config->tls);
  EXPECT_EQ(config->tls->cert_file, "/etc/mete/agent.crt");
  EXPECT_EQ(config->tls->key_file, "/keys/agent.key");
  EXPECT_EQ(config->tls->client_ca_file, "/etc/mete/ca/clients.crt");
  EXPECT_EQ(config->tls->client_auth, TlsClientAuth::kRequireAndVerify);
  EXPECT_EQ(config->tls->min_version, TlsVersion::kTls13);
  EXPECT_EQ(config->tls->cipher_suites.size(), 2u);
  EXPECT_FALSE(config->tls->prefer_server_ciphers);
  EXPECT_EQ(config->tls->curves, (std::vector<std::string>{"P-256", "X25519"}));
  EXPECT_EQ(config->headers,
            (HttpFields{{"x-frame-options", "deny"},
                        {"strict-transport-security", "max-age=31536000"}}));
  EXPECT_EQ(config->users, (BasicAuthUsers{{"ann", kHash}}));
}

TEST(WebConfig, HasTheToolkitsDefaults) {
  auto config = ParseWebConfig("tls_server_config: {cert_file: a, key_file: b}",
                               "/etc/web.yml");
  ASSERT_TRUE(config.ok()) << config.error().message();
  EXPECT_EQ(config->tls->min_version, TlsVersion::kTls12);
  EXPECT_EQ(config->tls->max_version, TlsVersion::kTls13);
  EXPECT_EQ(config->tls->client_auth, TlsClientAuth::kNone);
  EXPECT_TRUE(config->tls->prefer_server_ciphers);
}

TEST(WebConfig, AnEmptyFileSetsNoRules) {
  for (const char* text : {"", "basic_auth_users:\n", "tls_server_config:\n"}) {
    auto config = ParseWebConfig(text, "/etc/web.yml");
    ASSERT_TRUE(config.ok()) << config.error().message();
    EXPECT_FALSE(config->tls);
    EXPECT_TRUE(config->users.empty());
  }
}

TEST(WebConfig, AnUnknownKeyIsAnErrorThatSuggestsTheNearest) {
  EXPECT_EQ(ComplaintAbout("basic_auth_user: {}"),
            "/etc/mete/web.yml:1: unknown key 'basic_auth_user'; did you mean "
            "'basic_auth_users'?");
  EXPECT_EQ(ComplaintAbout("tls_server_config:\n  certfile: x\n"),
            "/etc/mete/web.yml:2: unknown key 'tls_server_config.certfile'; "
            "did you mean 'tls_server_config.cert_file'?");
  EXPECT_EQ(
      ComplaintAbout("http_server_config: {headers: {X-Frame-Option: deny}}"),
      "/etc/mete/web.yml:1: unknown key "
      "'http_server_config.headers.X-Frame-Option'; did you mean "
      "'http_server_config.headers.X-Frame-Options'?");
}

TEST(WebConfig, AWrongValueIsAnErrorThatSuggestsTheNearest) {
  EXPECT_EQ(ComplaintAbout("tls_server_config:\n  min_version: TLS1.3\n"),
            "/etc/mete/web.yml:2: tls_server_config.min_version: 'TLS1.3' is "
            "not one of TLS13, TLS12, TLS11, TLS10; did you mean 'TLS13'?");
  EXPECT_EQ(
      ComplaintAbout("http_server_config: {headers: {X-Frame-Options: maybe}}"),
      "/etc/mete/web.yml:1: http_server_config.headers.X-Frame-Options: "
      "'maybe' is not one of deny, sameorigin");
}

TEST(WebConfig, RefusesKeysThatAreNotSupported) {
  EXPECT_EQ(
      ComplaintAbout("tls_server_config: {client_allowed_sans: [a]}"),
      "/etc/mete/web.yml:1: tls_server_config.client_allowed_sans: is not "
      "supported; use a client_ca_file that signs only allowed clients");
  EXPECT_EQ(ComplaintAbout("http_server_config: {http2: true}"),
            "/etc/mete/web.yml:1: http_server_config.http2: mete supports only "
            "HTTP/1.1; set it to false");
  EXPECT_EQ(ComplaintAbout("rate_limit: {interval: 1s, burst: 5}"),
            "/etc/mete/web.yml:1: rate_limit: is not supported");
  EXPECT_NE(ComplaintAbout("tls_server_config: {cert: x}"), "");
}

TEST(WebConfig, TlsRequiresCertificateAndKey) {
  EXPECT_EQ(ComplaintAbout("tls_server_config: {key_file: x}"),
            "/etc/mete/web.yml:1: TLS requires a cert_file");
  EXPECT_EQ(ComplaintAbout("tls_server_config: {cert_file: x}"),
            "/etc/mete/web.yml:1: TLS requires a key_file");
}

TEST(WebConfig, APlainPasswordIsRefusedAndNotPrinted) {
  std::string complaint = ComplaintAbout("basic_auth_users: {ann: hunter2}");
  EXPECT_EQ(complaint,
            "/etc/mete/web.yml:1: password of 'ann': not a bcrypt hash; create "
            "one with 'htpasswd -nBC 10 NAME'");
  EXPECT_NE(ComplaintAbout("basic_auth_users: {ann: [x]}"), "");
  EXPECT_NE(ComplaintAbout("basic_auth_users: [ann]"), "");
  EXPECT_NE(
      ComplaintAbout("basic_auth_users: {'a:b': " + std::string(kHash) + "}"),
      "");
}

TEST(WebConfig, AHeaderCannotInjectAnother) {
  EXPECT_NE(ComplaintAbout("http_server_config: {headers: "
                           "{X-XSS-Protection: \"1\\r\\nSet-Cookie: a=b\"}}"),
            "");
}

TEST(ReadWebConfig, ChecksTheCertificates) {
  ScratchFolder folder = *ScratchFolder::Create();
  Identity first("DNS:a.example");
  Identity second("DNS:a.example");
  first.WriteCertificate(folder.path() / "a.crt");
  first.WriteKey(folder.path() / "a.key");
  second.WriteKey(folder.path() / "b.key");
  auto file = folder.path() / "web.yml";
  auto complaint = [&](const std::string& key) {
    CHECK(WriteFileAtomically(
              file,
              "tls_server_config: {cert_file: a.crt, key_file: " + key + "}\n")
              .ok());
    auto config = ReadWebConfig(file);
    return config.ok() ? "" : config.error().message();
  };
  EXPECT_EQ(complaint("a.key"), "");
  EXPECT_EQ(complaint("b.key"), file.string() + ": " +
                                    (folder.path() / "b.key").string() +
                                    " does not match the certificate " +
                                    (folder.path() / "a.crt").string());
  EXPECT_EQ(complaint("c.key"), file.string() + ": read " +
                                    (folder.path() / "c.key").string() +
                                    ": no such file or directory");
  EXPECT_FALSE(ReadWebConfig(folder.path() / "none.yml").ok());
  std::filesystem::permissions(folder.path() / "a.key",
                               std::filesystem::perms::others_read,
                               std::filesystem::perm_options::add);
  const std::string key = (folder.path() / "a.key").string();
  EXPECT_EQ(complaint("a.key"),
            file.string() + ": " + key +
                ": every user of this machine can read the private key; run "
                "'chmod o-r " +
                key + "'");
}

}  // namespace
}  // namespace mete
