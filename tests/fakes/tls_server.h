// A TLS server on a real port with a self-signed certificate. It answers every
// request with the same bytes.
#pragma once

#include <netinet/in.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>

#include <array>
#include <memory>
#include <string>
#include <thread>

#include "net/endpoint.h"
#include "support/check.h"
#include "support/descriptor.h"
#include "support/file.h"
#include "tests/fakes/certificates.h"

namespace mete {

class TlsServer {
 public:
  // `name` is the subject of the certificate: "IP:127.0.0.1", "DNS:x.example".
  TlsServer(const std::string& name, std::string answer)
      : answer_(std::move(answer)), folder_(*ScratchFolder::Create()) {
    signal(SIGPIPE,
           SIG_IGN);  // clients that do not trust the certificate hang up
    MakeCertificate(name);
    Listen();
    thread_ = std::jthread([this](std::stop_token stop) { Serve(stop); });
  }
  ~TlsServer() {
    thread_.request_stop();
    thread_.join();
    SSL_CTX_free(context_);
  }
  TlsServer(const TlsServer&) = delete;
  TlsServer& operator=(const TlsServer&) = delete;

  Endpoint endpoint() const {
    return {.host = "127.0.0.1", .port = port_, .tls = true};
  }
  std::string certificate_file() const {
    return (folder_.path() / "certificate.pem").string();
  }

 private:
  void MakeCertificate(const std::string& name) {
    Identity identity(name);
    identity.WriteCertificate(certificate_file());
    context_ = SSL_CTX_new(TLS_server_method());
    identity.Use(context_);
  }

  void Listen() {
    listener_ = Descriptor(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    CHECK(bind(listener_.number(), generic, sizeof address) == 0);
    socklen_t size = sizeof address;
    CHECK(getsockname(listener_.number(), generic, &size) == 0);
    port_ = ntohs(address.sin_port);
    CHECK(listen(listener_.number(), 8) == 0);
  }

  void Serve(std::stop_token stop) {
    while (!stop.stop_requested()) {
      pollfd waiting{.fd = listener_.number(), .events = POLLIN, .revents = 0};
      if (poll(&waiting, 1, 20) <= 0) continue;
      Descriptor peer(accept(listener_.number(), nullptr, nullptr));
      std::unique_ptr<SSL, decltype(&SSL_free)> tls(SSL_new(context_),
                                                    &SSL_free);
      SSL_set_fd(tls.get(), peer.number());
      if (SSL_accept(tls.get()) == 1) {
        std::array<char, 4096> request;
        SSL_read(tls.get(), request.data(), static_cast<int>(request.size()));
        SSL_write(tls.get(), answer_.data(), static_cast<int>(answer_.size()));
      }
      ERR_clear_error();
    }
  }

  std::string answer_;
  ScratchFolder folder_;
  SSL_CTX* context_ = nullptr;
  Descriptor listener_;
  uint16_t port_ = 0;
  std::jthread thread_;
};

}  // namespace mete
