// Access control of the API. It starts programs and shows the runs of others,
// so it is not open to everybody who can reach it.
#pragma once

#include <optional>
#include <string>

#include "net/http.h"
#include "net/http_server.h"
#include "serve/router.h"

namespace mete {

// The token that clients must send. TCP requires one: any user of the machine,
// any container on its network and any web page can reach a port. A Unix socket
// is protected by its file permissions and needs none.
struct AccessRule {
  std::string token;  // empty: none is required
};

// Returns the error reply, or nothing if the client has access. The token comes
// as "Authorization: Bearer TOKEN" or as the password of HTTP Basic.
std::optional<HttpReply> Refuse(const AccessRule& rule,
                                const HttpRequest& request);
// The same as a guard of routes.
RouteGuard GuardWith(const AccessRule& rule);

}  // namespace mete
