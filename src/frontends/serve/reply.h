// Replies as the API gives them: JSON, and errors of one shape,
// {"error": {"code": …, "message": …}}.
#pragma once

#include <string>
#include <variant>

#include "net/http_server.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

HttpReply JsonReply(int status, const Json& json);
// On one line: for answers that programs ask for by the thousand.
HttpReply JsonReply(int status, const SortedJson& json);
HttpReply TextReply(int status, std::string text);
HttpReply ErrorReply(int status, const std::string& code,
                     const std::string& message);
// 422: the request can be read, but this field of it cannot be used. The
// error also carries "field".
HttpReply FieldReply(const std::string& field, const std::string& message);
// With the status that fits what the caller may do about it.
HttpReply ErrorReply(const Error& error);

// What a request amounts to, or the reply that says why it amounts to nothing.
template <typename T>
using OrReply = std::variant<T, HttpReply>;

// The type of the body without its parameters, in lower case; "" without one.
std::string MediaType(const HttpRequest& request);

}  // namespace mete
