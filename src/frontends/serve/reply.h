// Replies of the API: JSON, and errors in one format, {"error": {"code": …,
// "message": …}}.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "net/http_server.h"
#include "net/known_hosts.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

HttpReply JsonReply(int status, const Json& json);
// Writes the JSON on one line, for frequent requests.
HttpReply JsonReply(int status, const SortedJson& json);
HttpReply TextReply(int status, std::string text);
HttpReply ErrorReply(int status, const std::string& code,
                     const std::string& message);
// Status 422: the request is well-formed but this field is invalid. The error
// also contains "field".
HttpReply FieldReply(const std::string& field, const std::string& message);
// Chooses the status by the code of the error.
HttpReply ErrorReply(const Error& error);
// Status 403 for a name that a server on loopback does not answer to: a web
// page may have made its own name mean this machine (DNS rebinding). Absent for
// any other request. `remedy` ends the message: "use localhost".
std::optional<HttpReply> RefuseUnknownHost(const KnownHosts& hosts,
                                           const HttpRequest& head,
                                           std::string_view remedy);

// A parsed request, or the reply with the reason why it is invalid.
template <typename T>
using OrReply = std::variant<T, HttpReply>;

// Returns the content type in lower case, without parameters; "" without one.
std::string MediaType(const HttpRequest& request);

}  // namespace mete
