// Access control of the API. It starts programs and shows the runs of others,
// so it is not open to everybody who can reach it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "net/http.h"
#include "net/http_server.h"
#include "serve/router.h"

namespace mete {

// What a client may do. Every role includes those before it.
enum class Role {
  kEverybody,  // without a token
  kRead,       // look at jobs, runs and their results
  kSubmit,     // also ask for predictions, upload networks and submit jobs
  kAdmin,      // everything
};
std::string_view ToString(Role role);

// A token and what its holder may do.
struct AccessToken {
  Role role = Role::kAdmin;
  std::string token;
};

// The tokens that clients may send. TCP requires one: any user of the machine,
// any container on its network and any web page can reach a port. A Unix socket
// is protected by its file permissions and needs none.
struct AccessRule {
  std::vector<AccessToken> tokens;  // empty: none is required
};

// The role of the client, by its token: kEverybody without a valid one, kAdmin
// if none is required. The token comes as "Authorization: Bearer TOKEN" or as
// the password of HTTP Basic.
Role RoleOf(const AccessRule& rule, const HttpRequest& request);

// Returns the error reply, or nothing if the client has at least the role: 401
// without a valid token, 403 if the token has a smaller role.
std::optional<HttpReply> Refuse(const AccessRule& rule, Role needed,
                                const HttpRequest& request);

// The role that a route like "GET /api/v1/jobs/{id}" requires. The table of all
// routes is in access.cc; a route that is not in it is a bug.
Role RoleFor(std::string_view route);
// The routes in that table.
std::vector<std::string_view> RoutesWithRoles();

// The guard of this route.
RouteGuard GuardFor(std::string_view route, const AccessRule& rule);

}  // namespace mete
