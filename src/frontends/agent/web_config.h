// The web configuration of Prometheus' exporters, as their common toolkit
// reads it: certificates, fields of every answer, users with their passwords.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "agent/basic_auth.h"
#include "net/http.h"
#include "net/http_server_tls.h"
#include "support/result.h"

namespace mete {

struct WebConfig {
  std::optional<HttpServerTls> tls;  // absent: plain
  HttpFields headers;                // of every answer
  BasicAuthUsers users;              // none: everybody may read
  bool blank = false;  // the file says nothing, as while it is being written
};

// Paths in it are relative to the folder of `file`. Fails with kInvalidInput
// and "FILE:LINE: …" for what is wrong or unknown, and also for what the
// toolkit knows and mete cannot honour: ignoring a rule that is there to
// protect would be worse than not starting.
Result<WebConfig> ParseWebConfig(const std::string& text,
                                 const std::filesystem::path& file);

// The same of a file, with a look at the certificates it names.
Result<WebConfig> ReadWebConfig(const std::filesystem::path& file);

}  // namespace mete
