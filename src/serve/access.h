// Who may have what done: an API that starts programs must not do it for
// everybody who reaches the port.
#pragma once

#include <optional>
#include <string>

#include "net/endpoint.h"
#include "net/http.h"
#include "net/http_server.h"

namespace mete {

// The rule, decided at the start.
struct AccessRule {
  std::string token;  // empty: none is asked for
  Endpoint listen;    // where the server really listens
};

// Looking is free on this machine; with a token everything needs it. Acting
// (starting, cancelling) needs the token, or a server that listens on this
// machine alone and a caller that no web page can be. Absent: allowed.
std::optional<HttpReply> RefuseLook(const AccessRule& rule,
                                    const HttpRequest& request);
std::optional<HttpReply> RefuseAct(const AccessRule& rule,
                                   const HttpRequest& request);

// Whether only programs of this machine reach it.
bool IsLocal(const Endpoint& endpoint);

}  // namespace mete
