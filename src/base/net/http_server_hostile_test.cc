// Thousands of malformed requests: the server keeps running and leaks nothing.
#include <gtest/gtest.h>
#include <openssl/ssl.h>

#include <map>

#include "net/http_client.h"
#include "net/http_server.h"
#include "support/file.h"
#include "tests/fakes/certificates.h"
#include "tests/fakes/hostile_bytes.h"
#include "tests/fakes/raw_caller.h"
#include "tests/integration/until.h"

namespace mete {
namespace {

const std::vector<std::string>& Requests() {
  static const std::string kLong(7000, 'x');
  static const std::vector<std::string> kRequests = {
      "GET /metrics HTTP/1.1\r\nHost: x\r\nAccept: text/plain;q=0.5\r\n\r\n",
      "GET / HTTP/1.0\r\n\r\n",
      "HEAD /?a=b&c=%20 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\nhello world",
      "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n"
      "Content-Length: 2\r\n\r\nhi",
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
      "5\r\nhello\r\n6;a=b\r\n world\r\n0\r\nTrailer: x\r\n\r\n",
      "GET /one HTTP/1.1\r\nHost: x\r\n\r\nGET /two HTTP/1.1\r\nHost: "
      "x\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: x\r\nX-Long: " + kLong + "\r\n\r\n",
      "POST / HTTP/1.1\r\nContent-Length: 999999999999\r\n\r\nx",
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  };
  return kRequests;
}

// The first message of a TLS client.
std::string Greeting() {
  std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context(
      SSL_CTX_new(TLS_client_method()), &SSL_CTX_free);
  std::unique_ptr<SSL, decltype(&SSL_free)> tls(SSL_new(context.get()),
                                                &SSL_free);
  BIO* sent = BIO_new(BIO_s_mem());
  SSL_set_bio(tls.get(), BIO_new(BIO_s_mem()), sent);
  SSL_connect(tls.get());
  std::string greeting(4096, '\0');
  greeting.resize(
      static_cast<size_t>(std::max(0, BIO_read(sent, greeting.data(), 4096))));
  return greeting;
}

class HostileCallers : public testing::Test {
 protected:
  void Serve(std::optional<HttpServerTls> tls = {}) {
    auto started = HttpServer::Start(
        {.listen = {.host = "127.0.0.1"},
         .largest_body = Mebibytes(1),
         .tls = std::move(tls),
         .patience = std::chrono::seconds(5)},
        [](const HttpRequest& request) -> HttpReply {
          return {.response = {.status = 200, .body = request.body}};
        });
    ASSERT_TRUE(started.ok()) << started.error().message();
    server_ = *std::move(started);
  }

  // Sends one after the other and counts the responses by their beginning.
  void Send(HostileBytes& hostile, int times) {
    for (int i = 0; i < times; ++i) {
      RawCaller caller(server_->endpoint());
      caller.Send(hostile.Next());
      caller.End();
      ++answers_[caller.ReadAll().substr(0, 12)];
    }
  }

  // Waits for connections that are still being closed.
  static size_t DescriptorsOnceCalm(size_t expected) {
    EXPECT_TRUE(Until([&] { return OpenDescriptors() <= expected; }));
    return OpenDescriptors();
  }

  void ExpectFlat(HostileBytes hostile, int times) {
    const size_t descriptors = OpenDescriptors();
    Send(hostile, times / 5);  // until every buffer has reached its size
    const uint64_t resident = ResidentBytes();
    Send(hostile, times);
    if (kMemoryIsMeaningful) {
      EXPECT_LT(ResidentBytes(), resident + (1 << 20));
    }
    // Fewer if an earlier connection was still being closed at the beginning.
    EXPECT_LE(DescriptorsOnceCalm(descriptors), descriptors);
  }

  std::unique_ptr<HttpServer> server_;
  std::map<std::string, int> answers_;
};

TEST_F(HostileCallers, AreAnsweredOrDroppedAndLeaveNothingBehind) {
  Serve();
  ExpectFlat(HostileBytes(1, Requests()), 10'000);
  EXPECT_GT(answers_["HTTP/1.1 200"], 500) << "some are still valid";
  EXPECT_GT(answers_["HTTP/1.1 400"], 500);
  EXPECT_GT(answers_["HTTP/1.1 413"], 100);
  EXPECT_GT(answers_["HTTP/1.1 431"], 100);
  EXPECT_GT(answers_[""], 100) << "some end early";
  EXPECT_EQ(HttpClient(server_->endpoint()).Send({})->status, 200);
}

TEST_F(HostileCallers, LeaveNothingBehindOverTls) {
  ScratchFolder folder = *ScratchFolder::Create();
  Identity identity("IP:127.0.0.1");
  HttpServerTls tls{.cert_file = (folder.path() / "cert.pem").string(),
                    .key_file = (folder.path() / "key.pem").string()};
  identity.WriteCertificate(tls.cert_file);
  identity.WriteKey(tls.key_file);
  Serve(tls);
  HttpClient client(server_->endpoint(), {.ca_file = tls.cert_file});
  ASSERT_EQ(client.Send({})->status, 200);
  ExpectFlat(HostileBytes(2, {Greeting(), Greeting(), Requests()[0]}), 2'000);
  EXPECT_EQ(client.Send({})->status, 200);
}

}  // namespace
}  // namespace mete
