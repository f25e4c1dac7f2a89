#include "serve/access.h"

#include <fmt/format.h>
#include <openssl/crypto.h>

#include <algorithm>
#include <array>

#include "serve/reply.h"
#include "support/base64.h"
#include "support/check.h"

namespace mete {
namespace {

struct RouteRole {
  std::string_view route;
  Role role;
};

// Which role each route requires. Predictions may be open to everybody
// (PredictionApi::open). A job does not know who submitted it, so changing one
// is left to admins, as is a privileged job.
constexpr std::array kRouteRoles = {
    RouteRole{"GET /healthz", Role::kEverybody},
    RouteRole{"GET /readyz", Role::kEverybody},
    RouteRole{"GET /metrics", Role::kEverybody},
    RouteRole{"GET /openapi.json", Role::kEverybody},
    RouteRole{"GET /api/v1/jobs", Role::kRead},
    RouteRole{"GET /api/v1/jobs/{id}", Role::kRead},
    RouteRole{"GET /api/v1/jobs/{id}/logs", Role::kRead},
    RouteRole{"GET /api/v1/jobs/{id}/profile", Role::kRead},
    RouteRole{"GET /api/v1/jobs/{id}/samples", Role::kRead},
    RouteRole{"GET /api/v1/jobs/{id}/report", Role::kRead},
    RouteRole{"GET /api/v1/runs", Role::kRead},
    RouteRole{"GET /api/v1/runs/{id}", Role::kRead},
    RouteRole{"GET /queue/item/{id}/api/json", Role::kRead},
    RouteRole{"POST /api/profiling", Role::kSubmit},
    RouteRole{"POST /upload", Role::kSubmit},
    RouteRole{"POST /api/v1/predict", Role::kSubmit},
    RouteRole{"GET /api/v1/place", Role::kRead},
    RouteRole{"POST /api/v1/place", Role::kSubmit},
    RouteRole{"DELETE /api/v1/place/{id}", Role::kAdmin},
    RouteRole{"POST /api/v1/jobs", Role::kSubmit},
    RouteRole{"POST /job/{name}/buildWithParameters", Role::kSubmit},
    RouteRole{"DELETE /api/v1/jobs/{id}", Role::kAdmin},
    RouteRole{"POST /api/v1/jobs/{id}/resume", Role::kAdmin},
};

// Compares in constant time, so that timing does not reveal a partial match.
bool Same(std::string_view a, std::string_view b) {
  return a.size() == b.size() &&
         CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

// Parses "Bearer TOKEN", or "Basic base64(user:TOKEN)" as Jenkins clients send.
std::string GivenToken(const HttpRequest& request) {
  auto field = request.fields.find("authorization");
  if (field == request.fields.end()) return "";
  std::string_view value = field->second;
  constexpr std::string_view kBearer = "Bearer ";
  constexpr std::string_view kBasic = "Basic ";
  if (value.starts_with(kBearer)) {
    return std::string(value.substr(kBearer.size()));
  }
  if (!value.starts_with(kBasic)) return "";
  auto decoded = DecodeBase64(value.substr(kBasic.size()));
  if (!decoded) return "";
  size_t colon = decoded->find(':');
  return colon == std::string::npos ? "" : decoded->substr(colon + 1);
}

HttpReply Unauthorized() {
  HttpReply reply = ErrorReply(401, "unauthorized",
                               "this server requires its token: "
                               "Authorization: Bearer TOKEN");
  reply.response.fields["www-authenticate"] = "Bearer";
  return reply;
}

}  // namespace

std::string_view ToString(Role role) {
  switch (role) {
    case Role::kEverybody:
      return "everybody";
    case Role::kRead:
      return "read";
    case Role::kSubmit:
      return "submit";
    case Role::kAdmin:
      return "admin";
  }
  return "";
}

Role RoleOf(const AccessRule& rule, const HttpRequest& request) {
  if (rule.tokens.empty()) return Role::kAdmin;
  const std::string given = GivenToken(request);
  Role role = Role::kEverybody;
  // Compares with every token, so that timing does not reveal which one it is.
  for (const AccessToken& known : rule.tokens) {
    if (Same(given, known.token)) role = std::max(role, known.role);
  }
  return role;
}

std::optional<HttpReply> Refuse(const AccessRule& rule, Role needed,
                                const HttpRequest& request) {
  const Role role = RoleOf(rule, request);
  if (role >= needed) return std::nullopt;
  if (role == Role::kEverybody) return Unauthorized();
  return ErrorReply(403, "permission_denied",
                    fmt::format("this request requires a token with the role "
                                "{}; yours has the role {}",
                                ToString(needed), ToString(role)));
}

Role RoleFor(std::string_view route) {
  auto found = std::ranges::find(kRouteRoles, route, &RouteRole::route);
  CHECK(found != kRouteRoles.end()) << "no role for " << route;
  return found->role;
}

std::vector<std::string_view> RoutesWithRoles() {
  std::vector<std::string_view> routes;
  for (const RouteRole& entry : kRouteRoles) routes.push_back(entry.route);
  return routes;
}

RouteGuard GuardFor(std::string_view route, const AccessRule& rule) {
  return [rule, needed = RoleFor(route)](const HttpRequest& request) {
    return Refuse(rule, needed, request);
  };
}

}  // namespace mete
