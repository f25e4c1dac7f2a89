// A client that sends raw bytes at any pace, for tests of servers.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <chrono>
#include <cstring>
#include <string>
#include <string_view>

#include "net/endpoint.h"
#include "support/check.h"
#include "support/descriptor.h"

namespace mete {

class RawCaller {
 public:
  // Connects to a Unix socket or a local port, from the loopback address
  // 127.0.0.`from`.
  explicit RawCaller(const Endpoint& endpoint, uint32_t from = 1) {
    if (endpoint.local()) {
      sockaddr_un address{};
      address.sun_family = AF_UNIX;
      std::strncpy(address.sun_path, endpoint.socket.c_str(),
                   sizeof address.sun_path - 1);
      Connect(address);
    } else {
      sockaddr_in address{};
      address.sin_family = AF_INET;
      address.sin_port = htons(endpoint.port);
      address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
      sockaddr_in own{};
      own.sin_family = AF_INET;
      own.sin_addr.s_addr = htonl(INADDR_LOOPBACK - 1 + from);
      Connect(address, from == 1 ? nullptr : &own);
    }
  }

  int number() const { return peer_.number(); }

  // Returns false if the server has closed the connection.
  bool Send(std::string_view bytes) {
    while (!bytes.empty()) {
      ssize_t sent = send(number(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<size_t>(sent));
    }
    return true;
  }
  // Ends sending and half-closes the connection.
  void End() { shutdown(number(), SHUT_WR); }

  // Reads until the end of the connection.
  std::string ReadAll() {
    std::string answer;
    char buffer[4096];
    for (ssize_t got = 0; (got = recv(number(), buffer, 4096, 0)) > 0;) {
      answer.append(buffer, static_cast<size_t>(got));
    }
    return answer;
  }

  // Returns whether the server closes the connection within that time. On a
  // Unix socket this works even if its reply has not been read.
  bool ClosedWithin(std::chrono::milliseconds wait) {
    pollfd peer{.fd = number(), .events = POLLRDHUP, .revents = 0};
    return poll(&peer, 1, static_cast<int>(wait.count())) > 0;
  }

  // Sends one byte every 50 ms until the server closes the connection, for at
  // most 10 s, and returns how long that took. Repeats `bytes` if needed.
  std::chrono::milliseconds Trickle(std::string_view bytes) {
    using std::chrono::steady_clock;
    auto begun = steady_clock::now();
    auto since = [begun] {
      return std::chrono::duration_cast<std::chrono::milliseconds>(
          steady_clock::now() - begun);
    };
    for (size_t at = 0; since() < std::chrono::seconds(10); ++at) {
      if (!Send(bytes.substr(at % bytes.size(), 1))) break;
      if (ClosedWithin(std::chrono::milliseconds(50))) break;
    }
    return since();
  }

 private:
  template <typename Address>
  void Connect(const Address& address, const Address* own = nullptr) {
    const auto* generic = reinterpret_cast<const sockaddr*>(&address);
    peer_ =
        Descriptor(socket(generic->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (own != nullptr) {
      CHECK(bind(number(), reinterpret_cast<const sockaddr*>(own),
                 sizeof *own) == 0)
          << std::strerror(errno);
    }
    CHECK(connect(number(), generic, sizeof address) == 0)
        << std::strerror(errno);
  }

  Descriptor peer_;
};

}  // namespace mete
