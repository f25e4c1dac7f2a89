#include "net/http_server_tls.h"

#include <gtest/gtest.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include <mutex>
#include <vector>

#include "net/http_client.h"
#include "net/http_server.h"
#include "support/file.h"
#include "tests/fakes/certificates.h"
#include "tests/fakes/raw_caller.h"

namespace mete {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kTlsPatience{300};
constexpr milliseconds kTlsSlack{700};

constexpr std::string_view kGet =
    "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

// A client's certificate and TLS version.
struct Caller {
  const Identity* identity = nullptr;
  int version = 0;  // 0: the best available
  const char* cipher = nullptr;
};

class HttpServerTlsTest : public testing::Test {
 protected:
  HttpServerTlsTest() { Write(server_identity_); }

  void Write(const Identity& identity) {
    identity.WriteCertificate(certificate_);
    identity.WriteKey(key_);
  }
  HttpServerTls Settings() {
    return {.cert_file = certificate_,
            .key_file = key_,
            .warn = [this](const std::string& text) {
              std::lock_guard lock(mutex_);
              warnings_.push_back(text);
            }};
  }
  HttpServerTls Checking(TlsClientAuth auth) {
    ca_.WriteCertificate(folder_.path() / "ca.pem");
    HttpServerTls tls = Settings();
    tls.client_ca_file = (folder_.path() / "ca.pem").string();
    tls.client_auth = auth;
    return tls;
  }

  void Serve(HttpServerTls tls, HttpHandler handler = &Fine) {
    auto started = HttpServer::Start({.listen = {.host = "127.0.0.1"},
                                      .tls = std::move(tls),
                                      .patience = kTlsPatience,
                                      .piece_interval = milliseconds(5)},
                                     std::move(handler));
    ASSERT_TRUE(started.ok()) << started.error().message();
    server_ = *std::move(started);
  }
  static HttpReply Fine(const HttpRequest& request) {
    return {.response = {.status = 200, .body = "fine " + request.body}};
  }

  Result<HttpResponse> Ask(const HttpRequest& request = {}) {
    return HttpClient(server_->endpoint(), {.ca_file = certificate_})
        .Send(request);
  }

  // The response to kGet, or "" when there was none.
  std::string AskAs(const Caller& caller) {
    RawCaller peer(server_->endpoint());
    std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context(
        SSL_CTX_new(TLS_client_method()), &SSL_CTX_free);
    if (caller.identity != nullptr) caller.identity->Use(context.get());
    if (caller.version != 0) {
      SSL_CTX_set_max_proto_version(context.get(), caller.version);
      SSL_CTX_set_security_level(context.get(), 0);
    }
    if (caller.cipher != nullptr) {
      SSL_CTX_set_cipher_list(context.get(), caller.cipher);
    }
    std::unique_ptr<SSL, decltype(&SSL_free)> tls(SSL_new(context.get()),
                                                  &SSL_free);
    SSL_set_fd(tls.get(), peer.number());
    std::string answer;
    if (SSL_connect(tls.get()) == 1 &&
        SSL_write(tls.get(), kGet.data(), static_cast<int>(kGet.size())) > 0) {
      char buffer[4096];
      for (int got = 0; (got = SSL_read(tls.get(), buffer, 4096)) > 0;) {
        answer.append(buffer, static_cast<size_t>(got));
      }
      said_goodbye_ =
          (SSL_get_shutdown(tls.get()) & SSL_RECEIVED_SHUTDOWN) != 0;
    }
    ERR_clear_error();
    return answer;
  }

  ScratchFolder folder_ = *ScratchFolder::Create();
  std::string certificate_ = (folder_.path() / "cert.pem").string();
  std::string key_ = (folder_.path() / "key.pem").string();
  Identity server_identity_{"IP:127.0.0.1"};
  Identity ca_{"DNS:ca.example"};
  Identity known_{"DNS:known.example", &ca_};
  Identity stranger_{"DNS:known.example"};
  std::mutex mutex_;
  std::vector<std::string> warnings_;
  bool said_goodbye_ = false;
  std::unique_ptr<HttpServer> server_;
};

TEST_F(HttpServerTlsTest, AnswersOverTls) {
  Serve(Settings());
  EXPECT_TRUE(server_->endpoint().tls);
  auto response = Ask({.method = "POST", .body = std::string(3 << 20, 'x')});
  ASSERT_TRUE(response.ok()) << response.error().message();
  EXPECT_EQ(response->body.size(), 5u + (3 << 20));
}

TEST_F(HttpServerTlsTest, EndsWithCloseNotify) {
  Serve(Settings());
  EXPECT_TRUE(AskAs({}).ends_with("fine "));
  EXPECT_TRUE(said_goodbye_);
}

TEST_F(HttpServerTlsTest, SendsPiecesAsTheyArrive) {
  std::atomic<int> asked = 0;
  Serve(Settings(), [&](const HttpRequest&) {
    HttpReply reply{.response = {.status = 200}};
    reply.pieces = [&asked]() -> std::optional<std::string> {
      int turn = asked++;
      if (turn == 4) return std::nullopt;
      return turn % 2 == 0 ? "piece " : "";
    };
    return reply;
  });
  EXPECT_EQ(Ask()->body, "piece piece ");
}

TEST_F(HttpServerTlsTest, TellsAPlainClientToUseTls) {
  Serve(Settings());
  RawCaller caller(server_->endpoint());
  caller.Send(kGet);
  std::string answer = caller.ReadAll();
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 400 ")) << answer;
  EXPECT_NE(answer.find("https"), std::string::npos) << answer;
}

TEST_F(HttpServerTlsTest, DropsGarbageInsteadOfAHandshake) {
  Serve(Settings());
  RawCaller caller(server_->endpoint());
  caller.Send(std::string(100, '\x7f'));
  EXPECT_TRUE(caller.ClosedWithin(kTlsPatience + kTlsSlack));
  EXPECT_EQ(Ask()->status, 200);
}

TEST_F(HttpServerTlsTest, GivesUpOnATricklingHandshake) {
  Serve(Settings());
  RawCaller caller(server_->endpoint());
  // A record of 512 bytes: the beginning of a client hello.
  milliseconds borne = caller.Trickle(
      std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11) +
      std::string(500, 'x'));
  EXPECT_GE(borne, kTlsPatience - milliseconds(50));
  EXPECT_LE(borne, kTlsPatience + kTlsSlack);
  EXPECT_EQ(Ask()->status, 200);
}

TEST_F(HttpServerTlsTest, ASilentHandshakeDoesNotHoldUpOthers) {
  Serve(Settings());
  RawCaller silent(server_->endpoint());
  EXPECT_EQ(Ask()->status, 200);
  EXPECT_TRUE(silent.ClosedWithin(kTlsPatience + kTlsSlack));
}

TEST_F(HttpServerTlsTest, UsesNewCertificatesImmediately) {
  Serve(Settings());
  ASSERT_EQ(Ask()->status, 200);
  Write(Identity("IP:127.0.0.1"));  // Ask() trusts only this certificate
  auto response = Ask();
  ASSERT_TRUE(response.ok()) << response.error().message();
}

TEST_F(HttpServerTlsTest, ReportsBrokenNewCertificatesAndKeepsTheOld) {
  Serve(Settings());
  ASSERT_TRUE(WriteFileAtomically(key_, "nonsense").ok());
  std::filesystem::permissions(key_, std::filesystem::perms::owner_read);
  EXPECT_EQ(Ask()->status, 200);
  EXPECT_EQ(Ask()->status, 200);
  server_.reset();
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_NE(warnings_[0].find("key.pem: not a private key"), std::string::npos)
      << warnings_[0];
}

TEST_F(HttpServerTlsTest, ServesOnlyVerifiedClientsWhenRequired) {
  Serve(Checking(TlsClientAuth::kRequireAndVerify));
  EXPECT_NE(AskAs({.identity = &known_}), "");
  EXPECT_EQ(AskAs({.identity = &stranger_}), "");
  EXPECT_EQ(AskAs({}), "");
}

TEST_F(HttpServerTlsTest, ClientCertificatesMayBeOptional) {
  Serve(Checking(TlsClientAuth::kVerifyIfGiven));
  EXPECT_NE(AskAs({.identity = &known_}), "");
  EXPECT_EQ(AskAs({.identity = &stranger_}), "");
  EXPECT_NE(AskAs({}), "");
}

TEST_F(HttpServerTlsTest, AcceptsAnyCertificateIfConfigured) {
  Serve(Checking(TlsClientAuth::kRequireAny));
  EXPECT_NE(AskAs({.identity = &stranger_}), "");
  EXPECT_EQ(AskAs({}), "");
}

TEST_F(HttpServerTlsTest, MayOnlyRequestACertificate) {
  Serve(Checking(TlsClientAuth::kRequest));
  EXPECT_NE(AskAs({.identity = &stranger_}), "");
  EXPECT_NE(AskAs({}), "");
}

TEST_F(HttpServerTlsTest, RejectsOldVersions) {
  Serve(Settings());
  EXPECT_EQ(AskAs({.version = TLS1_1_VERSION}), "");
  EXPECT_NE(AskAs({.version = TLS1_2_VERSION}), "");
}

TEST_F(HttpServerTlsTest, TheMinimumVersionMayBeRaised) {
  HttpServerTls tls = Settings();
  tls.min_version = TlsVersion::kTls13;
  Serve(tls);
  EXPECT_EQ(AskAs({.version = TLS1_2_VERSION}), "");
  EXPECT_NE(AskAs({}), "");
}

TEST_F(HttpServerTlsTest, UsesOnlyTheGivenCiphers) {
  HttpServerTls tls = Settings();
  tls.max_version = TlsVersion::kTls12;
  tls.cipher_suites = {"TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"};
  Serve(tls);
  EXPECT_EQ(AskAs({.cipher = "ECDHE-ECDSA-AES128-GCM-SHA256"}), "");
  EXPECT_NE(AskAs({.cipher = "ECDHE-ECDSA-AES256-GCM-SHA384"}), "");
}

// The same errors as from Start.
TEST_F(HttpServerTlsTest, SaysInOneLineWhatIsWrongWithTheFiles) {
  auto complaint = [&](auto change) {
    HttpServerTls tls = Settings();
    change(tls);
    Status checked = CheckTls(tls);
    std::string text = checked.ok() ? "" : checked.error().message();
    for (size_t at; (at = text.find(folder_.path().string() + "/")) !=
                    std::string::npos;) {
      text.erase(at, folder_.path().string().size() + 1);
    }
    return text;
  };
  EXPECT_EQ(complaint([](HttpServerTls&) {}), "");
  EXPECT_EQ(complaint([](HttpServerTls& tls) { tls.cert_file = "/none.pem"; }),
            "read /none.pem: no such file or directory");
  EXPECT_EQ(complaint([](HttpServerTls& tls) { tls.key_file = "/none.pem"; }),
            "read /none.pem: no such file or directory");
  EXPECT_EQ(
      complaint([&](HttpServerTls& tls) { tls.cert_file = tls.key_file; }),
      "key.pem: not a certificate: no start line");
  EXPECT_EQ(complaint([&](HttpServerTls& tls) {
              known_.WriteKey(folder_.path() / "other.pem");
              tls.key_file = (folder_.path() / "other.pem").string();
            }),
            "other.pem does not match the certificate cert.pem");
  EXPECT_EQ(complaint([](HttpServerTls& tls) {
              tls.client_auth = TlsClientAuth::kRequireAndVerify;
            }),
            "client certificates cannot be verified without a client CA file");
  EXPECT_EQ(
      complaint([](HttpServerTls& tls) { tls.cipher_suites = {"ROT13"}; }),
      "unknown cipher suite 'ROT13'");
}

TEST_F(HttpServerTlsTest, DoesNotStartWithoutItsFiles) {
  HttpServerTls tls = Settings();
  tls.key_file += "x";
  auto started =
      HttpServer::Start({.listen = {.host = "127.0.0.1"}, .tls = tls}, &Fine);
  EXPECT_FALSE(started.ok());
}

}  // namespace
}  // namespace mete
