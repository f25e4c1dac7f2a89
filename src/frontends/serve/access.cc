#include "serve/access.h"

#include <openssl/crypto.h>

#include <string_view>

#include "serve/reply.h"
#include "support/base64.h"

namespace mete {
namespace {

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

std::optional<HttpReply> Refuse(const AccessRule& rule,
                                const HttpRequest& request) {
  if (rule.token.empty() || Same(GivenToken(request), rule.token)) {
    return std::nullopt;
  }
  return Unauthorized();
}

RouteGuard GuardWith(const AccessRule& rule) {
  return [rule](const HttpRequest& request) { return Refuse(rule, request); };
}

}  // namespace mete
