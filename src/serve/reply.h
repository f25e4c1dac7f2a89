// Replies as the API gives them: JSON, and errors of one shape,
// {"error": {"code": …, "message": …}}.
#pragma once

#include <string>

#include "net/http_server.h"
#include "support/json.h"
#include "support/result.h"

namespace mete {

HttpReply JsonReply(int status, const Json& json);
HttpReply TextReply(int status, std::string text);
HttpReply ErrorReply(int status, const std::string& code,
                     const std::string& message);
// With the status that fits what the caller may do about it.
HttpReply ErrorReply(const Error& error);

}  // namespace mete
