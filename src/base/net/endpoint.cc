#include "net/endpoint.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>

#include "support/parse_number.h"

namespace mete {
namespace {

constexpr uint16_t kHttpPort = 80;
constexpr uint16_t kHttpsPort = 443;

Error Malformed(std::string_view text) {
  return InvalidInput(
      fmt::format("'{}' is not a server address like unix:///run/x.sock or "
                  "tcp://host:port",
                  text));
}

// "host", "host:port", "[::1]:port".
Result<Endpoint> ParseAuthority(std::string_view authority,
                                std::string_view text, bool tls) {
  Endpoint endpoint{.tls = tls};
  std::string_view rest;
  if (authority.starts_with('[')) {
    size_t close = authority.find(']');
    if (close == std::string_view::npos) return Malformed(text);
    endpoint.host = authority.substr(1, close - 1);
    rest = authority.substr(close + 1);
  } else {
    size_t colon = authority.find(':');
    endpoint.host = authority.substr(0, colon);
    if (colon != std::string_view::npos) rest = authority.substr(colon);
  }
  if (endpoint.host.empty()) return Malformed(text);
  if (rest.empty()) {
    endpoint.port = tls ? kHttpsPort : kHttpPort;
    return endpoint;
  }
  if (!rest.starts_with(':')) return Malformed(text);
  rest.remove_prefix(1);
  auto port = ParseNumber<uint16_t>(rest);
  if (!port || *port == 0) return Malformed(text);
  endpoint.port = *port;
  return endpoint;
}

}  // namespace

bool Endpoint::loopback() const {
  in_addr four{};
  in6_addr six{};
  if (inet_pton(AF_INET, host.c_str(), &four) == 1) {
    return ntohl(four.s_addr) >> 24 == IN_LOOPBACKNET;
  }
  if (inet_pton(AF_INET6, host.c_str(), &six) == 1) {
    return IN6_IS_ADDR_LOOPBACK(&six);
  }
  return host == "localhost";
}

std::string Endpoint::Authority() const {
  if (local()) return "localhost";
  bool bracketed = host.find(':') != std::string::npos;
  return bracketed ? fmt::format("[{}]:{}", host, port)
                   : fmt::format("{}:{}", host, port);
}

std::string Endpoint::Text() const {
  if (local()) return "unix://" + socket;
  return (tls ? "https://" : "tcp://") + Authority();
}

Result<Endpoint> ParseEndpoint(std::string_view text) {
  size_t colon = text.find("://");
  if (colon == std::string_view::npos) return Malformed(text);
  std::string_view scheme = text.substr(0, colon);
  std::string_view rest = text.substr(colon + 3);
  if (scheme == "unix") {
    if (!rest.starts_with('/')) return Malformed(text);
    return Endpoint{.socket = std::string(rest)};
  }
  if (scheme == "tcp" || scheme == "http" || scheme == "https") {
    if (rest.ends_with('/')) rest.remove_suffix(1);
    if (rest.find('/') != std::string_view::npos) return Malformed(text);
    return ParseAuthority(rest, text, scheme == "https");
  }
  return Unsupported(fmt::format("'{}': {}:// is not supported", text, scheme));
}

Result<Endpoint> ParseListen(const std::string& text) {
  if (text.starts_with("unix://")) return ParseEndpoint(text);
  auto endpoint = ParseEndpoint("tcp://" + text);
  if (endpoint.ok() && text.find(':') != std::string::npos) return endpoint;
  return InvalidInput(fmt::format(
      "'{}' is not an address; write it like 127.0.0.1:PORT (1 to 65535) or "
      "unix:///run/mete.sock",
      text));
}

Result<Endpoint> ParseListenOnAnyPort(const std::string& text) {
  if (text.starts_with("unix://") || !text.ends_with(":0")) {
    return ParseListen(text);
  }
  auto endpoint = ParseListen(text.substr(0, text.size() - 1) + "1");
  if (!endpoint.ok()) return ParseListen(text);  // quotes what was given
  endpoint->port = 0;
  return endpoint;
}

Result<Url> ParseUrl(std::string_view text) {
  size_t colon = text.find("://");
  size_t slash = colon == std::string_view::npos ? std::string_view::npos
                                                 : text.find('/', colon + 3);
  std::string_view path =
      slash == std::string_view::npos ? "" : text.substr(slash);
  while (path.ends_with('/')) path.remove_suffix(1);
  ASSIGN_OR_RETURN(Endpoint endpoint, ParseEndpoint(text.substr(0, slash)));
  return Url{std::move(endpoint), std::string(path)};
}

}  // namespace mete
