// The address of a server: a Unix socket, or a host and a port.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "support/result.h"

namespace mete {

// sun_path of sockaddr_un, without the terminating zero.
constexpr size_t kLongestSocketPath = 107;

// Either the path of a socket or a host and port.
struct Endpoint {
  std::string socket;  // empty: over TCP
  std::string host;    // name or address; IPv6 without brackets
  uint16_t port = 0;
  bool tls = false;  // TCP only: encrypted and authenticated

  bool local() const { return !socket.empty(); }
  // True for TCP within this machine: "localhost", 127.0.0.0/8, ::1.
  bool loopback() const;
  // The value of a request's Host field.
  std::string Authority() const;
  std::string Text() const;  // as written by users: "unix:///run/x.sock"
  bool operator==(const Endpoint&) const = default;
};

// "unix:///run/x.sock", "tcp://host:2375", "http://host:9090", "https://host".
// Fails with kInvalidInput, or with kUnsupported for other schemes.
Result<Endpoint> ParseEndpoint(std::string_view text);

// The address to listen on: "127.0.0.1:7001", "[::]:7001" or
// "unix:///run/x.sock". Fails with kInvalidInput, also when the port is
// missing.
Result<Endpoint> ParseListen(const std::string& text);

// The same, and port 0 for any free port: "127.0.0.1:0".
Result<Endpoint> ParseListenOnAnyPort(const std::string& text);

// A server and a path on it: "https://host/metrics".
struct Url {
  Endpoint endpoint;
  std::string path;  // without a trailing slash; "" is the root
};
Result<Url> ParseUrl(std::string_view text);

}  // namespace mete
