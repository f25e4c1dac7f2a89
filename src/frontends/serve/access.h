// Who may use the API: it starts programs and shows what others run, so not
// everybody who reaches it.
#pragma once

#include <optional>
#include <string>

#include "net/http.h"
#include "net/http_server.h"

namespace mete {

// Over TCP every caller must know the token: any user of the machine, any
// container on its network and any web page can reach a port. A Unix socket is
// guarded by its file's permissions and has none.
struct AccessRule {
  std::string token;  // empty: none is asked for
};

// The refusal, or absent when the caller may go on. The token comes as
// "Authorization: Bearer TOKEN", or as a password of HTTP Basic.
std::optional<HttpReply> Refuse(const AccessRule& rule,
                                const HttpRequest& request);

}  // namespace mete
