// Which names a server on the loopback interface answers to.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "net/endpoint.h"

namespace mete {

// Protects a server on loopback from DNS rebinding: a web page whose name
// suddenly means 127.0.0.1 could read whatever needs no token. The browser
// sends the page's name as the Host of its requests. Servers that listen
// elsewhere answer to every name. Thread-safe.
class KnownHosts {
 public:
  // `names` are answered to besides addresses, localhost and the name of this
  // machine.
  KnownHosts(const Endpoint& listen, std::vector<std::string> names);

  // `host` is the field Host of a request, with or without a port; "" if there
  // is none, as in HTTP/1.0.
  bool Allow(std::string_view host) const;
  // `origin` is the field Origin, which browsers send: "http://HOST:PORT" of
  // the page that makes the request. On loopback, pages of this machine only.
  bool AllowOrigin(std::string_view origin) const;

 private:
  bool Knows(const std::string& name) const;

  bool any_ = false;
  std::vector<std::string> names_;  // lower case
};

}  // namespace mete
