// Where a server listens: a Unix socket, or a host and a port.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "support/result.h"

namespace mete {

// sun_path of sockaddr_un, without the zero at its end.
constexpr size_t kLongestSocketPath = 107;

// Either a socket's path or a host with its port.
struct Endpoint {
  std::string socket;  // empty: over TCP
  std::string host;    // a name or an address, IPv6 without brackets
  uint16_t port = 0;
  bool tls = false;  // over TCP: encrypted, and the server proves who it is

  bool local() const { return !socket.empty(); }
  // Over TCP, but only within this machine: "localhost", 127.0.0.0/8, ::1.
  bool loopback() const;
  // What goes into a request's Host field.
  std::string Authority() const;
  std::string Text() const;  // as it would be written: "unix:///run/x.sock"
  bool operator==(const Endpoint&) const = default;
};

// "unix:///run/x.sock", "tcp://host:2375", "http://host:9090",
// "https://host". Fails with kInvalidInput, and with kUnsupported for schemes
// that mete does not speak.
Result<Endpoint> ParseEndpoint(std::string_view text);

// Where a server is told to listen: "127.0.0.1:7001", "[::]:7001" or
// "unix:///run/x.sock". Fails with kInvalidInput, and without a port.
Result<Endpoint> ParseListen(const std::string& text);

// A server and the path below which it answers: "https://host/metrics".
struct Url {
  Endpoint endpoint;
  std::string path;  // without a slash at its end; "" is the root
};
Result<Url> ParseUrl(std::string_view text);

}  // namespace mete
